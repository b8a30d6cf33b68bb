import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { redirectFields } from '../../../lib/payment/redirect-fields.ts';
import { findWebhookOwner, rotateWebhookSecret } from '../../../lib/merchant/rotate-webhook-secret.ts';
import type { PostbackEvent } from '../../../lib/postback/event.ts';
import { aPayment, shopId } from '../../support/builders.ts';
import { aDelivery, apiToken, merchantSecret, sealer, shopSecret } from '../../support/delivery.ts';
import { type DocumentedShop, documentedShop, runnableLanguages } from '../../support/documented-shops.ts';
import { anEvent, given } from '../../support/postbacks.ts';
import { aRecordingReceiver, type Received } from '../../support/receiver.ts';

const secrets = { token: apiToken, shopSecret, payoutSecret: merchantSecret };

const payoutFields = {
  TrsId: 'group0000000000000000',
  Amount: '1000.00',
  IsAuto: 'false',
  Status: 'DECLINED',
  Currency: 'RUB',
  Commission: '10.00',
  AccountType: 'QIWI',
  AccountNumber: '79123456789',
  BalanceAmount: '1010.00',
  BalanceCommission: '10.00',
  BalanceCurrency: 'RUB',
  CommissionApplyType: 'sender',
};
const aPayoutEvent = () =>
  anEvent({
    id: 'po.group0000000000000000.DECLINED',
    kind: 'payout',
    shopId: undefined,
    status: 'DECLINED',
    fields: payoutFields,
  });

const toRefunds = { Id: 'bill0000bill000000nonce123Refund', PaymentId: 'bill0000bill000000nonce123' };
const aRefundEvent = () =>
  anEvent({
    id: `rf.${toRefunds.Id}.FAIL`,
    kind: 'refund',
    status: 'FAIL',
    fields: { ...toRefunds, BillId: 'bill0000bill0000', Amount: '40.00', Currency: 'RUB', Status: 'FAIL' },
  });
const chargebackId = `${toRefunds.PaymentId}.chargeback.1`;
const aChargebackEvent = () =>
  anEvent({
    id: `cb.${toRefunds.PaymentId}x1.CONFIRMED`,
    kind: 'chargeback',
    status: 'CONFIRMED',
    fields: { ...toRefunds, Id: chargebackId, BillId: 'bill0000bill0000', Amount: '40.00', Currency: 'RUB' },
  });

/** The receiver checks the age of a signature by its own clock, so the delivery must use the real time. */
async function delivered(
  event: PostbackEvent,
  urls: { shop: string; payout?: string; refunds?: string },
  format: 'form' | 'json' = 'form',
) {
  const { deps, table, clock, deliver } = await aDelivery({
    shops: [{ resultUrl: urls.shop, refundUrl: urls.refunds, postbackFormat: format }],
    merchant: { payoutWebhookUrl: urls.payout ?? urls.shop },
  });
  clock.now = new Date();
  await given(table, { ...event, createdAt: clock.now, nextAt: clock.now });
  return {
    deps,
    now: async () => {
      await deliver(event.id);
      return deps.events.find(event.id);
    },
  };
}

/** A postback as the service delivers it, stored to be sent again with changes. */
async function captured(event: PostbackEvent): Promise<Received> {
  const receiver = await aRecordingReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  await (await delivered(event, { shop: receiver.url, refunds: receiver.url })).now();
  return receiver.received[0]!;
}

const custom = 'к\u0301 & "x"\r\n=+%41';

describe.each(runnableLanguages())('the receiver of docs/merchants.md in $name', (language) => {
  let shop: DocumentedShop;
  beforeAll(async () => {
    shop = await documentedShop(language, secrets);
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  const withFields = (changes: Readonly<Record<string, string>>) => {
    const event = anEvent();
    return { ...event, fields: { ...event.fields, ...changes } };
  };
  const toShop = { shop: '', payout: '', refunds: '' };
  beforeAll(() => {
    const urls = { shop: shop.url('/result'), payout: shop.url('/payouts'), refunds: shop.url('/refunds') };
    Object.assign(toShop, urls);
  });

  it.each([
    ['a form', 'form', withFields({ custom }), 'ok SUCCESS order-1 100.50'],
    ['JSON', 'json', withFields({ custom }), 'ok SUCCESS order-1 100.50'],
    ['a form without an order_id', 'form', withFields({ InvId: '' }), 'ok SUCCESS  100.50'],
    ['JSON without an order_id', 'json', withFields({ InvId: '' }), 'ok SUCCESS  100.50'],
    [
      'a form about a Cyrillic order',
      'form',
      withFields({ InvId: 'заказ №1' }),
      'ok SUCCESS заказ №1 100.50',
    ],
  ] as const)("accepts a payment's postback as %s", async (_case, format, event, answer) => {
    const heard = await (await delivered(event, toShop, format)).now();
    expect(heard).toMatchObject({ state: 'DELIVERED', attempts: [{ outcome: '200', answer }] });
  });

  it("accepts a payout's postback signed with the merchant's secret", async () => {
    const event = await (await delivered(aPayoutEvent(), toShop)).now();
    expect(event).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ outcome: '200', answer: `ok DECLINED ${payoutFields.TrsId} 1000.00` }],
    });
  });

  it.each([
    ['a refund', 'form', aRefundEvent(), `ok FAIL ${toRefunds.Id} 40.00`],
    ['a refund as JSON', 'json', aRefundEvent(), `ok FAIL ${toRefunds.Id} 40.00`],
    ['a chargeback', 'form', aChargebackEvent(), `ok CHARGEBACK ${chargebackId} 40.00`],
  ] as const)('accepts the postback of %s, with both signatures', async (_case, format, event, answer) => {
    const heard = await (await delivered(event, toShop, format)).now();
    expect(heard).toMatchObject({ state: 'DELIVERED', attempts: [{ outcome: '200', answer }] });
  });

  it('accepts a postback signed with a new secret beside its own', async () => {
    const { deps, now } = await delivered(anEvent(), toShop);
    const owner = (await findWebhookOwner(deps, shopId))!;
    const random = (bytes: number) => Buffer.alloc(bytes, 9);
    await rotateWebhookSecret({ ...deps, sealer, random }, { owner });
    expect(await now()).toMatchObject({ state: 'DELIVERED' });
  });

  it("refuses a payment's postback signed with another secret", async () => {
    const event = await (await delivered(anEvent(), { shop: shop.url('/payouts') })).now();
    expect(event).toMatchObject({ state: 'RETRY', attempts: [{ outcome: '400', answer: 'not genuine' }] });
  });

  const sent = async ({ headers, body }: Received): Promise<string> => {
    const { 'content-length': _length, host: _host, connection: _connection, ...rest } = headers;
    const answer = await fetch(shop.url('/result'), { method: 'POST', headers: rest, body });
    return `${answer.status} ${await answer.text()}`;
  };
  const signedAgain = ({ headers, body }: Received, changes: Readonly<Record<string, string>>): Received => {
    const { 'webhook-id': id, 'webhook-timestamp': time } = { ...headers, ...changes };
    const key = Buffer.from(shopSecret.slice('whsec_'.length), 'base64');
    const due = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return { path: '', body, headers: { ...headers, ...changes, 'webhook-signature': `v1,${due}` } };
  };

  it.each<[string, (genuine: Received) => Received]>([
    ['a FAIL turned into a SUCCESS', (each) => ({ ...each, body: each.body.replace('FAIL', 'SUCCESS') })],
    ['no second signature', (each) => ({ ...each, headers: { ...each.headers, 'webhook-signature': '' } })],
    [
      'a signature from ten minutes ago',
      (each) => signedAgain(each, { 'webhook-timestamp': `${Math.floor(Date.now() / 1000) - 600}` }),
    ],
    ['a timestamp that is not a number', (each) => signedAgain(each, { 'webhook-timestamp': 'now' })],
    [
      'a SignatureValue for another amount',
      (each) => signedAgain({ ...each, body: each.body.replace('OutSum=100.50', 'OutSum=1.50') }, {}),
    ],
  ])('refuses %s', async (_case, change) => {
    const event = anEvent();
    const genuine = await captured({ ...event, status: 'FAIL', fields: { ...event.fields, Status: 'FAIL' } });
    expect(await sent(genuine)).toBe('200 ok FAIL order-1 100.50');
    expect(await sent(change(genuine))).toBe('400 not genuine');
  });

  it.each([
    ['a refund with a SignatureValue for another amount', aRefundEvent(), 'Amount=40.00', 'Amount=41.00'],
    ['a refund with a SignatureValue for another currency', aRefundEvent(), 'RUB', 'KZT'],
    [
      'a chargeback with a SignatureValue for another one',
      aChargebackEvent(),
      'chargeback.1',
      'chargeback.2',
    ],
    ['a refund without its status', aRefundEvent(), '&Status=FAIL', ''],
  ])('refuses %s', async (_case, event, from, to) => {
    const genuine = await captured(event);
    expect(await sent(genuine)).toMatch(/^200 ok/);
    const changed = signedAgain({ ...genuine, body: genuine.body.replace(from, to) }, {});
    expect(await sent(changed)).toBe('400 not genuine');
  });

  it.each(['/thanks', '/sorry'])(
    'responds to the payer’s POST to %s with 303 to a page of its own',
    async (path) => {
      const fields = redirectFields(aPayment({ orderId: 'order & 1', custom }), apiToken);
      const back = await fetch(shop.url(path), {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      expect([back.status, back.headers.get('location')]).toEqual([303, `${path}?order=order%20%26%201`]);

      const page = await fetch(new URL(back.headers.get('location') ?? '', shop.url('/')));
      expect(page.status).toBe(200);
      expect(await page.text()).toMatch(/^Order order (?:&|&amp;) 1, without your session:/);
    },
  );

  it('names no order to a payer whose form is not signed by the service', async () => {
    const fields = { ...redirectFields(aPayment({ orderId: 'order-1' }), apiToken), InvId: 'order-2' };
    const back = await fetch(shop.url('/thanks'), {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect([back.status, back.headers.get('location')]).toEqual([303, '/thanks']);
  });
});
