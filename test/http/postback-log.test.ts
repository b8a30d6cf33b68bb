import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { postbackPage } from '../../lib/contract/postback.ts';
import { create as list } from '../../functions/postback-list.ts';
import { create as replay } from '../../functions/postback-replay.ts';
import { create as test } from '../../functions/postback-test.ts';
import {
  paymentPostback,
  paymentPostbackExtension,
  payoutPostback,
  refundPostback,
  chargebackPostback,
} from '../../lib/contract/postbacks.ts';
import { readPaymentId, toMerchantId } from '../../lib/ids.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import { paymentErrors } from '../../lib/payment/payment-error.ts';
import { md5Signature } from '../../lib/postback/signature.ts';
import { sampleStatuses } from '../../lib/postback/sample-event.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import { aCaller, form, get, post, refusal } from '../support/api-event.ts';
import { aShop, merchantId, otherShopId, paymentId, shopId, today } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { anAttempt, anEvent, given, stored } from '../support/postbacks.ts';
import { aRecordingReceiver } from '../support/receiver.ts';
import { aRefund } from '../support/refunds.ts';
import { serviceHarness } from '../support/service-harness.ts';

const stranger = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
const minute = 60_000;
const later = (ms: number) => new Date(today.getTime() + ms);
const id = `pay.${paymentId}.SUCCESS`;
const paidPayment = { status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n } as const;
const at = { createdAt: today, nextAt: later(5000) };
const shown = {
  id,
  kind: 'payment',
  payment_id: paymentId,
  payout_id: null,
  refund_id: null,
  status: 'SUCCESS',
  state: 'RETRY',
  created_at: '2026-11-21 12:34:56',
  next_attempt_at: '2026-11-21 12:35:01',
  attempts: [{ at: '2026-11-21 12:34:56', outcome: '500', ms: 12, answer: 'try later' }],
};
const retried = anEvent({
  ...at,
  id,
  state: 'RETRY',
  attempts: [anAttempt({ at: today, ms: 12, answer: 'try later' })],
});

const idsIn = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): unknown[] =>
  Array.isArray(body['data']) ? body['data'].map((each) => each.id) : [];
const metaIn = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  z.object(postbackPage).parse(body['meta']);

describe('GET /api/v1/postback/list', () => {
  it('shows the postback of a payment with its attempts, their answers and the next', async () => {
    const harness = await serviceHarness({ payment: paidPayment });
    await given(harness.table, retried);
    expect((await get(list(harness), { query: { payment_id: paymentId } })).body).toEqual({
      data: [shown],
      meta: { per_page: 20, next_cursor: null, prev_cursor: null },
      success: true,
    });
    expect(idsIn(await get(list(harness), { query: { id } }))).toEqual([id]);
  });

  it('of a payment shows those of its refunds, too', async () => {
    const totals = { reservedMinor: 100n, grossMinor: 100n, feeMinor: 0n, refundedMinor: 100n };
    const harness = await serviceHarness({ payment: { ...paidPayment, refunds: totals } });
    const refund = aRefund({ status: 'SUCCESS' });
    const { client, name: TableName } = harness.table;
    await client.send(new PutCommand({ TableName, Item: refundItem(refund) }));
    const refunded = `rf.${refund.id}.SUCCESS`;
    await given(harness.table, retried);
    await given(harness.table, anEvent({ id: refunded, kind: 'refund', createdAt: later(minute) }));
    expect(idsIn(await get(list(harness), { query: { payment_id: paymentId } }))).toEqual([refunded, id]);
  });

  it('shows those of a day, newest first, page by page and back', async () => {
    const harness = await serviceHarness();
    const names = ['FAIL', 'SUCCESS', 'UNDERPAID', 'OVERPAID'];
    for (const [n, status] of names.entries())
      await given(harness.table, anEvent({ id: `pay.${paymentId}.${status}`, createdAt: later(n * minute) }));
    await given(harness.table, anEvent({ id: 'pay.yesterday.FAIL', createdAt: later(-24 * 60 * minute) }));
    await given(
      harness.table,
      anEvent({ id: 'pay.others.FAIL', createdAt: today, merchantId: stranger.merchantId }),
    );
    const newest = names.map((status) => `pay.${paymentId}.${status}`).toReversed();
    const page = (cursor?: string | null) =>
      get(list(harness), {
        query: { date: '2026-11-21', per_page: '3', ...(cursor && { cursor }) },
      });

    const first = await page();
    expect(idsIn(first)).toEqual(newest.slice(0, 3));
    const second = await page(metaIn(first).next_cursor);
    expect(idsIn(second)).toEqual(newest.slice(3));
    expect(metaIn(second).next_cursor).toBeNull();
    expect(idsIn(await page(metaIn(second).prev_cursor))).toEqual(newest.slice(0, 3));
  });

  it.each([
    [{ payment_id: paymentId }, 422, 'payment_not_found'],
    [{ payment_id: 'x' }, 422, 'payment_not_found'],
    [{ payout_id: 'GroupOfTwentyDigits001' }, 422, 'payout_not_found'],
    [{ id }, 422, 'postback_not_found'],
    [{ id: `test.${paymentId}.SUCCESS` }, 422, 'postback_not_found'],
  ])("knows nothing of another merchant's: %j", async (query, status, key) => {
    const harness = await serviceHarness({ payment: paidPayment });
    await given(harness.table, retried);
    expect(await get(list(harness), { query, caller: stranger })).toMatchObject(refusal(status, key));
  });

  it.each([{ refund_id: `${paymentId}refund` }, { date: '2026-11-21' }])(
    "lists none of another merchant's: %j",
    async (query) => {
      const harness = await serviceHarness();
      await given(harness.table, retried);
      await given(harness.table, anEvent({ ...at, id: `rf.${paymentId}refund.FAIL`, kind: 'refund' }));
      expect(idsIn(await get(list(harness), { query, caller: stranger }))).toEqual([]);
      expect(idsIn(await get(list(harness), { query }))).not.toEqual([]);
    },
  );

  it.each([
    [{}, 'date'],
    [{ date: '2026-11-31' }, 'date'],
    [{ date: '2026-11-21', per_page: '101' }, 'per_page'],
    [{ date: '2026-11-21', cursor: 'x' }, 'cursor'],
  ])('names the field to fix: %j', async (query, field) => {
    const { status, body } = await get(list(await serviceHarness()), { query });
    expect([status, Object.keys(Object(body['errors']))]).toEqual([422, expect.arrayContaining([field])]);
  });

  it('lists what one of is required in one sentence', async () => {
    const { body } = await get(list(await serviceHarness()), { query: {} });
    const sentence = 'One of id, payment_id, payout_id, refund_id, and date is required.';
    expect(body).toMatchObject({ errors: { id: [sentence], date: [sentence] } });
  });
});

describe('POST /api/v1/postback/replay', () => {
  it('makes the postback due at once under its id, from the first step of the schedule, and queues it', async () => {
    const harness = await serviceHarness();
    const queued: string[] = [];
    const postbackQueue = { send: async (each: string) => void queued.push(each) };
    await given(harness.table, { ...retried, state: 'DEAD', tries: 11 });
    const { status, body } = await post(replay({ ...harness, postbackQueue }), form({ id }));
    expect([status, body]).toMatchObject([200, { success: true, id, state: 'RETRY' }]);
    expect(body['attempts']).toHaveLength(2);
    expect(queued).toEqual([id]);
    expect(await stored(harness.table, id)).toMatchObject({ state: 'RETRY', tries: 0 });
  });

  it.each([
    ["another merchant's", { merchantId: stranger.merchantId }, 422, 'postback_not_found'],
    ['one that waits for its first attempt', { state: 'PENDING' }, 400, 'postback_under_way'],
    ['one that is being sent', { attempts: [anAttempt({ outcome: undefined })] }, 400, 'postback_under_way'],
  ] as const)('refuses %s, and changes nothing', async (_case, traits, status, key) => {
    const harness = await serviceHarness();
    await given(harness.table, { ...retried, ...traits });
    const before = await itemsOf(harness.table);
    expect(await post(replay(harness), form({ id }))).toMatchObject(refusal(status, key));
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('refuses one to a paused URL, which only the operator resumes', async () => {
    const harness = await serviceHarness();
    await given(harness.table, retried);
    await harness.endpoints.pause(shopId);
    expect(await post(replay(harness), form({ id }))).toMatchObject(refusal(400, 'endpoint_paused'));
  });

  it('sends no more than ten in a minute to one URL, tests among them', async () => {
    const harness = await serviceHarness();
    await given(harness.table, retried);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await post(replay(harness), form({ id }))).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await harness.shops.set(shopId, { resultUrl: 'http://127.0.0.1:1/result' });
    const tested = await post(test(harness), form({ shop_id: shopId }));
    expect([tested.status, tested.body]).toEqual([429, { success: false, message: 'Too many requests.' }]);
    const now = () => later(minute);
    expect((await post(replay({ ...harness, now }), form({ id }))).status).toBe(200);
  });
});

/** The shop's server and the handler, which sends to it. */
async function aShopThatIsTested(traits: Partial<Shop> = {}, status = 200) {
  const receiver = await aRecordingReceiver(
    () => status,
    (body) => `got ${body}`,
  );
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const harness = await serviceHarness();
  await harness.shops.set(shopId, { resultUrl: receiver.url, refundUrl: receiver.url, ...traits });
  await harness.merchants.setSettings(merchantId, { payoutWebhookUrl: receiver.url });
  return {
    harness,
    receiver,
    ask: (fields: Readonly<Record<string, string>>) => post(test(harness), form(fields)),
  };
}

const schemas = {
  payment: paymentPostback,
  payout: payoutPostback,
  refund: refundPostback,
  chargeback: chargebackPostback,
} as const;
const every = Object.entries(sampleStatuses).flatMap(([kind, statuses]) =>
  statuses.map((status) => ({ kind, status })),
);

describe('POST /api/v1/postback/test', () => {
  it.each(every)('sends a $kind that is $status, as the document describes it', async ({ kind, status }) => {
    const { receiver, ask, harness } = await aShopThatIsTested();
    const { body } = await ask({ kind, status, ...(kind !== 'payout' && { shop_id: shopId }) });
    const [sent] = receiver.received;
    const fields = Object.fromEntries(new URLSearchParams(sent?.body));
    const schema = Object.entries(schemas).find(([name]) => name === kind)?.[1];
    expect(schema?.safeParse(fields)).toMatchObject({ success: true });
    expect(body).toMatchObject({ success: true, delivered: true, outcome: '200', url: receiver.url });
    expect(sent?.headers).toMatchObject({ 'paylink-test': '1', 'webhook-id': body['id'] });
    expect(String(body['answer'])).toMatch(/^got .*\[signature\]/);
    expect((await itemsOf(harness.table)).filter(({ SK }) => SK === 'E')).toEqual([]);
  });

  it('can pay no order: its ids begin with "test-" whatever is sent, and no status endpoint knows them', async () => {
    const { receiver, ask } = await aShopThatIsTested();
    const chosen = { InvId: 'order-1', order_id: 'order-1', TrsId: paymentId, id: 'order-1', OutSum: '1' };
    await ask({ shop_id: shopId, ...chosen });
    const fields = Object.fromEntries(new URLSearchParams(receiver.received[0]?.body));
    expect(fields).toMatchObject({
      InvId: expect.stringMatching(/^test-/),
      TrsId: expect.stringMatching(/^test-/),
    });
    expect(readPaymentId(fields['TrsId'])).toBeUndefined();
    const { OutSum = '', InvId = '' } = fields;
    expect(fields['SignatureValue']).toBe(md5Signature(OutSum, InvId, 'sealed'));
  });

  it('has the extended fields for a shop that switched them on', async () => {
    const { receiver, ask } = await aShopThatIsTested({ extendedPostbacks: true });
    await ask({ shop_id: shopId, status: 'FAIL' });
    const fields = Object.fromEntries(new URLSearchParams(receiver.received[0]?.body));
    expect(paymentPostbackExtension.safeParse(fields)).toMatchObject({ success: true });
    expect(fields).toMatchObject({ ErrorCode: 'declined', ErrorMessage: paymentErrors.declined });
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(paymentPostbackExtension.shape)));
  });

  it('tells what the endpoint answered, also while it is paused, and does not count for its health', async () => {
    const { ask, harness } = await aShopThatIsTested({}, 503);
    await harness.endpoints.pause(shopId);
    const before = await harness.endpoints.find(shopId);
    expect((await ask({ shop_id: shopId })).body).toMatchObject({ delivered: false, outcome: '503' });
    expect(await harness.endpoints.find(shopId)).toEqual(before);
  });

  it.each([
    ['no shop', {}, 403, 'shop_not_found'],
    ["another merchant's shop", { shop_id: otherShopId }, 403, 'access_denied'],
    ['a shop without a refund URL', { shop_id: shopId, kind: 'refund' }, 400, 'postback_url_missing'],
  ])('refuses %s', async (_case, fields, status, key) => {
    const { ask, harness, receiver } = await aShopThatIsTested({ refundUrl: undefined });
    await harness.shops.create(aShop({ id: otherShopId, merchantId: stranger.merchantId }));
    expect(await ask(fields)).toMatchObject(refusal(status, key));
    expect(receiver.received).toEqual([]);
  });

  it('refuses a status that its kind never has, naming those it has', async () => {
    const { ask } = await aShopThatIsTested();
    expect((await ask({ shop_id: shopId, kind: 'refund', status: 'DECLINED' })).body).toMatchObject({
      errors: { status: ['The status of a refund must be one of: SUCCESS, FAIL.'] },
    });
  });
});
