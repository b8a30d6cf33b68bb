import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { create } from '../../functions/postback-deliver.ts';
import type { Bill } from '../../lib/bill/bill.ts';
import { cachedOpener } from '../../lib/merchant/cached-opener.ts';
import type { Merchant } from '../../lib/merchant/merchant.ts';
import type { Opener, Sealer } from '../../lib/merchant/ports.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import { firstSecret } from '../../lib/merchant/webhook-secret.ts';
import type { Lane } from '../../lib/postback/deliver-postback.ts';
import type { Notice } from '../../lib/postback/endpoint-health.ts';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import { sqsQueue } from '../../lib/provider/sqs-queue.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { aMerchant, aShop, merchantId, shopId } from './builders.ts';
import { contactOpener } from './contacts.ts';
import { freshTable } from './dynamo.ts';
import { noon } from './postbacks.ts';
import { batchOf, freshQueue } from './queue.ts';

export const apiToken = 'pl_test_token';
export const shopSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const merchantSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** Stores the context with the secret, so that another context does not open it. */
const seal = (secret: string, context: object): string => JSON.stringify({ secret, context });

export const sealToken = (token: string, tokenVersion: number) => ({
  tokenVersion,
  sealedToken: seal(token, { use: 'api-token', merchant: merchantId, version: String(tokenVersion) }),
});

export const sealer: Sealer = { seal: async (secret, context) => seal(secret, context) };

const opener: Opener = {
  async open(sealed, context) {
    const { secret, context: sealedFor } = JSON.parse(sealed);
    if (JSON.stringify(context) !== JSON.stringify(sealedFor)) throw new Error('sealed for something else');
    return secret;
  },
};

/** The merchant and the shops of these tests, each with its own secrets. */
const merchantOf = (traits: Partial<Merchant>) =>
  aMerchant({
    id: merchantId,
    ...sealToken(apiToken, 1),
    webhookSecrets: firstSecret(seal(merchantSecret, { use: 'webhook-secret', merchant: merchantId })),
    ...traits,
  });

const shopOf = ({ id = shopId, ...traits }: Partial<Shop>) =>
  aShop({
    id,
    merchantId,
    webhookSecrets: firstSecret(seal(shopSecret, { use: 'webhook-secret', shop: id })),
    ...traits,
  });

type Given = {
  readonly shops?: readonly Partial<Shop>[];
  readonly merchant?: Partial<Merchant>;
  readonly bills?: readonly Bill[];
};

/** The delivery worker with its own table, queue and manual clock. */
export async function aDelivery({ shops = [{}], merchant = {}, bills = [] }: Given = {}) {
  const [table, queue] = await Promise.all([freshTable(), freshQueue()]);
  const clock = { now: noon };
  const now = () => clock.now;
  const notices: Notice[] = [];
  const lines: unknown[] = [];
  const deps = {
    events: dynamoEvents(table),
    endpoints: dynamoEndpoints(table),
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    bills: dynamoBills(table, now),
    payments: dynamoPayments(table),
    opener: cachedOpener(opener, now),
    phoneOpener: opener,
    contacts: dynamoContacts(table, now),
    contactOpener,
    post: merchantPost({ policy: 'loopback', resolve: async () => [], now }),
    queue: sqsQueue(queue.client, queue.url, 'eventId'),
    retryQueue: sqsQueue(queue.client, queue.url, 'eventId'),
    now,
    chance: () => 0.5,
    wait: async () => undefined,
    notify: (notice: Notice) => notices.push(notice),
    log: (...line: unknown[]) => lines.push(line),
  };
  await deps.merchants.create(merchantOf(merchant));
  for (const shop of shops) await deps.shops.create(shopOf(shop));
  for (const bill of bills) await putBill(table, bill);

  const batch = (lane: Lane, eventIds: readonly string[]) =>
    create(
      deps,
      lane,
    )(batchOf(...eventIds.map((eventId, at) => ({ messageId: `${at}`, body: JSON.stringify({ eventId }) }))));
  const deliver = (...eventIds: string[]) => batch('first', eventIds);
  const retry = (...eventIds: string[]) => batch('retries', eventIds);
  return { deps, table, queue, clock, notices, lines, deliver, retry };
}

/** Writes a bill directly, in the state in which its payments left it. */
export const putBill = ({ client, name: TableName }: Table, bill: Bill) =>
  client.send(new PutCommand({ TableName, Item: billItem(bill) }));

/** Writes a payment directly. */
export const putPayment = ({ client, name: TableName }: Table, payment: Payment) =>
  client.send(new PutCommand({ TableName, Item: paymentItem(payment, noon) }));
