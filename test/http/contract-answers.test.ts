import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../lib/contract/openapi.ts';
import { contract } from '../../lib/contract/routes.ts';
import { decidedChargeback } from '../../lib/ledger/chargeback.ts';
import { chargebackItem } from '../../lib/store/chargeback-item.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import { aChargeback } from '../support/chargebacks.ts';
import { aRefund, refundId } from '../support/refunds.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { merchantKey } from '../../lib/store/merchant-item.ts';
import { type Answered, form, get, post } from '../support/api-event.ts';
import { handlers, type Path, paths } from '../support/api-handlers.ts';
import { billId, merchantId, paymentId, shopId, today } from '../support/builders.ts';
import { toPhone } from '../support/payout-harness.ts';
import { anAttempt, anEvent, given } from '../support/postbacks.ts';
import { aRecordingReceiver } from '../support/receiver.ts';
import { resolved } from '../support/resolved-document.ts';
import { type ServiceHarness, serviceHarness } from '../support/service-harness.ts';

type Call = (harness: ServiceHarness, path: Path) => Promise<Answered>;
const asked =
  (query: Readonly<Record<string, string>> = {}): Call =>
  (harness, path) =>
    get(handlers[path](harness), { query });
const sent =
  (fields: (harness: ServiceHarness) => Readonly<Record<string, string>>): Call =>
  (harness, path) =>
    post(handlers[path](harness), form(fields(harness)));

/** With a contact and an end that are answered, and items that are left out. */
const bill = {
  amount: '1',
  shop_id: shopId,
  order_id: 'order-1',
  payer_email: 'ivan@example.ru',
  payer_phone: '+79123456712',
  payer_name: 'Ivan Petrov',
  ttl: '600',
  items: '[]',
};

const split = {
  amount: '500000.50',
  currency: 'RUB',
  account_type: 'sbp',
  account_identifier: toPhone.phone,
  account_bank: String(toPhone.bankId),
  order_id: 'order-1',
};

/** The merchant is from before the index, so that searches say so. */
async function beforeTheIndex({ table }: ServiceHarness): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: merchantKey(merchantId),
      UpdateExpression: 'REMOVE #list, listAt',
      ExpressionAttributeNames: { '#list': 'list' },
    }),
  );
}

const rejected = aRefund({
  status: 'FAIL',
  errorCode: 'refund_rejected',
  endedAt: today,
  nextCheck: undefined,
});
const chargedBack = decidedChargeback(aChargeback(), 'CONFIRMED', {
  id: 'd',
  proposedBy: 'olga',
  approvedBy: 'petr',
  reason: 'case',
  at: today,
  bearer: 'merchant',
  posted: undefined,
});

const put = async ({ table }: ServiceHarness, ...items: readonly Record<string, unknown>[]) => {
  for (const Item of items) await table.client.send(new PutCommand({ TableName: table.name, Item }));
};

/** Creates a refund, which the acquirer rejects, and repeats the request. */
const createdAndRejected =
  (fields: Readonly<Record<string, string>>): Call =>
  async (harness, path) => {
    const request = form(fields);
    const keyed = { ...request, headers: { ...request.headers, 'Idempotency-Key': 'k' } };
    await post(handlers[path](harness), keyed);
    const [refund] = await harness.refunds.ofPayment(paymentId);
    if (!refund) throw new Error('The refund was not created');
    await put(harness, refundItem({ ...rejected, id: refund.id }));
    return post(handlers[path](harness), keyed);
  };

/** A call of each endpoint whose answer has every field that it can have. */
const calls: Readonly<Record<Path, Call>> = {
  '/bill/create': sent(() => bill),
  '/bill/toggle_activity': async (harness, path) => {
    const { body } = await post(handlers['/bill/create'](harness), form(bill));
    return sent(() => ({ id: String(body['bill_id']), active: '0' }))(harness, path);
  },
  '/bill/payments': asked({ id: billId, per_page: '1' }),
  '/bill/status': async (harness, path) => {
    await post(handlers['/bill/create'](harness), form(bill));
    return asked({ order_id: bill.order_id })(harness, path);
  },
  '/payment/status': async (harness, path) => {
    await put(harness, refundItem(rejected), chargebackItem(chargedBack));
    return asked({ id: paymentId, refunds: '1', chargeback: '1' })(harness, path);
  },
  '/merchant/balance': asked(),
  '/payout/personal/create': sent(({ accountId }) => ({ amount: '1000', payout_account_id: accountId })),
  '/payout/regular/create': sent(() => split),
  '/payout/status': async (harness, path) => {
    await post(handlers['/payout/regular/create'](harness), form(split));
    return asked({ order_id: 'order-1' })(harness, path);
  },
  '/payout/dictionaries/sbp_banks': asked(),
  '/payout/quote': sent(() => split),
  '/payout/cancel': async (harness, path) => {
    await post(handlers['/payout/regular/create'](harness), form(split));
    return sent(() => ({ order_id: split.order_id }))(harness, path);
  },
  '/bill/search': async (harness, path) => {
    await beforeTheIndex(harness);
    await post(handlers['/bill/create'](harness), form(bill));
    return asked()(harness, path);
  },
  '/payment/search': async (harness, path) => {
    await beforeTheIndex(harness);
    return asked()(harness, path);
  },
  '/refund/search': async (harness, path) => {
    await beforeTheIndex(harness);
    await put(harness, refundItem({ ...rejected, createdAt: today }));
    return asked()(harness, path);
  },
  '/payout/search': async (harness, path) => {
    await beforeTheIndex(harness);
    await post(handlers['/payout/regular/create'](harness), form(split));
    return asked()(harness, path);
  },
  '/refund/full/create': createdAndRejected({ payment_id: paymentId }),
  '/refund/partial/create': createdAndRejected({ payment_id: paymentId, amount: '1' }),
  '/refund/status': async (harness, path) => {
    await put(harness, refundItem(rejected));
    return asked({ id: refundId })(harness, path);
  },
  '/postback/list': async (harness, path) => {
    await postbacks(harness);
    return asked({ date: '2026-11-21', per_page: '10' })(harness, path);
  },
  '/postback/replay': async (harness, path) => {
    const [refund] = await postbacks(harness);
    return sent(() => ({ id: refund }))(harness, path);
  },
  '/postback/test': async (harness, path) => {
    await using receiver = await aRecordingReceiver(
      () => 200,
      () => 'OK',
    );
    await harness.shops.set(shopId, { resultUrl: receiver.url });
    return await sent(() => ({ shop_id: shopId }))(harness, path);
  },
};

/** Stores the postbacks of a refund and of a payout, with an attempt each; returns their ids. */
async function postbacks({ table }: ServiceHarness): Promise<readonly [string, string]> {
  const attempts = [anAttempt({ at: today, outcome: '500', ms: 12, answer: 'try later' })];
  const traits = { state: 'RETRY', attempts, createdAt: today, nextAt: today } as const;
  const [refund, payout] = [`rf.${paymentId}refund.SUCCESS`, 'po.GroupOfTwentyDigits001.SUCCESS'];
  await given(table, anEvent({ ...traits, id: refund, kind: 'refund' }));
  await given(table, anEvent({ ...traits, id: payout, kind: 'payout', shopId: undefined }));
  return [refund, payout];
}

const node = z.object({
  properties: z.optional(z.record(z.string(), z.unknown())),
  items: z.optional(z.unknown()),
});

/** The names of all fields that a schema documents, nested ones with their way: `data.id`. */
function documented(schema: unknown, way = ''): readonly string[] {
  const { properties = {}, items } = node.parse(schema);
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    way + name,
    ...documented(inner, `${way}${name}.`),
  ]);
  return items === undefined ? own : [...own, ...documented(items, way)];
}

/** The names of all fields that an answer has, those of list entries taken together. */
function present(value: unknown, way = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => present(each, way));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [way + name, ...present(inner, `${way}${name}.`)]);
}

const document: unknown = resolved(openApiDocument('https://pay.example.test'));
const responses = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        responses: z.looseObject({
          200: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }),
        }),
      }),
    ),
  ),
});

function successSchema(path: Path): unknown {
  const [operation] = Object.values(responses.parse(document).paths[`/api/v1${path}`] ?? {});
  return operation?.responses[200].content['application/json'].schema;
}

/** A payment with every field that an answer can have. */
const failed: Partial<Payment> = {
  status: 'FAIL',
  phase: 'DONE',
  fromCard: '411111******1111',
  accountBank: 'Sberbank',
  declineReason: 'insufficient_funds',
};

const succeeded: Partial<Payment> = { status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n };

describe('a live answer', () => {
  it.each(paths)('of %s has every documented field and no other, each of its type', async (path) => {
    const payment = path.startsWith('/refund/') ? succeeded : failed;
    const harness = await serviceHarness({ availableMinor: 100_000_000n, payment });
    const answer = await calls[path](harness, path);

    expect(answer.status).toBe(200);
    expect(new Set(present(answer.body))).toEqual(new Set(documented(successSchema(path))));
    const route = contract.find((each) => each.path === `/api/v1${path}`);
    expect(route && z.safeParse(route.output, answer.body)).toMatchObject({ success: true });
  });
});
