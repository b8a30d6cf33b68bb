import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { beforeAll, describe, expect, it } from 'vitest';
import { create as billSearch } from '../../functions/bill-search.ts';
import { create as billStatus } from '../../functions/bill-status.ts';
import { create as paymentSearch } from '../../functions/payment-search.ts';
import { create as paymentStatus } from '../../functions/payment-status.ts';
import { create as payoutSearch } from '../../functions/payout-search.ts';
import { create as payoutStatus } from '../../functions/payout-status.ts';
import { create as refundSearch } from '../../functions/refund-search.ts';
import { create as refundStatus } from '../../functions/refund-status.ts';
import { toBillId, toMerchantId, toPaymentId, toRefundId } from '../../lib/ids.ts';
import { billOfOrderItem } from '../../lib/store/bill-item.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { merchantItem } from '../../lib/store/merchant-item.ts';
import { aCaller, get, invalid, refusal } from '../support/api-event.ts';
import { apiDeps, type ApiDeps, listsOn, paid, start } from '../support/api-deps.ts';
import { aBill, aMerchant, aPayment, aShop, otherShopId, today } from '../support/builders.ts';
import { aRefund } from '../support/refunds.ts';
import { createdParts, payoutHarness, toPhone } from '../support/payout-harness.ts';

const spice = toMerchantId('SpiceSpiceSpice1');
const hourMs = 3600_000;
const ago = (hours: number): Date => new Date(today.getTime() - hours * hourMs);
const billOf = (name: string) => toBillId(name.padEnd(16, '0'));
const paymentOf = (name: string) => toPaymentId(`${billOf(name)}00Payment1`);

let deps: ApiDeps;
beforeAll(async () => {
  deps = await apiDeps({ shops: [aShop(), aShop({ id: otherShopId })] });
  const { bills } = deps;
  for (const bill of [
    aBill({ id: billOf('fresh'), createdAt: ago(1), orderId: 'order-1' }),
    aBill({ id: billOf('paid'), createdAt: ago(2), orderId: 'order-1' }),
    aBill({ id: billOf('expired'), createdAt: ago(30), expiresAt: ago(29), shopId: otherShopId }),
    aBill({ id: billOf('multi'), createdAt: ago(50), type: 'MULTI' }),
    aBill({ id: billOf('old'), createdAt: ago(40 * 24), orderId: 'order-2' }),
    aBill({ id: billOf('spice'), createdAt: ago(1), merchantId: spice, orderId: 'order-1' }),
  ])
    await bills.create(bill, [], []);
  const plain = { status: 'PROCESS', phase: 'AUTHORIZING' } as const;
  const paying = (name: string, traits: Parameters<typeof aPayment>[0]) =>
    start(deps, aPayment({ id: paymentOf(name), billId: billOf(name), ...plain, ...traits }));
  await paying('paid', { createdAt: ago(2), orderId: 'order-1' });
  await paid(deps, paymentOf('paid'));
  await paying('multi', { createdAt: ago(49), billType: 'MULTI', method: 'sbp', shopId: otherShopId });
  await paying('old', { createdAt: ago(40 * 24), orderId: 'order-2' });
  await paying('spice', { createdAt: ago(1), merchantId: spice, orderId: 'order-1' });
});

const page = z.object({
  data: z.array(z.object({ id: z.string() })),
  meta: z.object({
    per_page: z.number(),
    next_cursor: z.nullable(z.string()),
    prev_cursor: z.nullable(z.string()),
  }),
});
type Answer = { readonly body: unknown };
const names = ({ body }: Answer): readonly string[] =>
  page.parse(body).data.map(({ id }) => id.slice(0, 16).replace(/0+$/, ''));
const meta = ({ body }: Answer) => page.parse(body).meta;

const bills = (query: Readonly<Record<string, string>> = {}) => get(billSearch(deps), { query });
const payments = (query: Readonly<Record<string, string>> = {}) => get(paymentSearch(deps), { query });

describe('GET /api/v1/bill/search', () => {
  it('lists the bills of the last 30 days, newest first, each as bill/status answers it', async () => {
    const found = await bills();
    expect(names(found)).toEqual(['fresh', 'paid', 'expired', 'multi']);
    const { success, ...status } = (await get(billStatus(deps), { query: { id: billOf('fresh') } })).body;
    expect(found.body).toMatchObject({ success: true, data: [status, {}, {}, {}] });
    expect(found.body).not.toHaveProperty('incomplete_before');
  });

  it.each([
    [{ status: 'fail' }, ['expired']],
    [{ status: 'SUCCESS' }, ['paid']],
    [{ active: '0' }, ['expired']],
    [{ type: 'multi' }, ['multi']],
    [{ shop_id: otherShopId }, ['expired']],
    [{ shop_id: 'no such shop' }, []],
    [{ start_date: '2026-11-21', finish_date: '2026-11-21' }, ['fresh', 'paid']],
    [{ start_date: '2026-11-19', finish_date: '2026-11-20' }, ['expired', 'multi']],
    [{ start_date: '2026-11-21 11:34:56', finish_date: '2026-11-21 11:34:56' }, ['fresh']],
    [{ start_date: '2026-11-21 11:34:57' }, []],
    [{ finish_date: '2026-10-31' }, ['old']],
    [{ start_date: '2026-11-01', finish_date: '2099-12-31' }, ['fresh', 'paid', 'expired', 'multi']],
    [{ start_date: '2099-12-30', finish_date: '2099-12-31' }, []],
    [{ start_date: '2026-11-22' }, []],
  ])('filters by %j', async (query, found) => {
    expect(names(await bills(query))).toEqual(found);
  });

  it('finds all bills of an order, however old, and none of another merchant', async () => {
    expect(names(await bills({ order_id: 'order-1' }))).toEqual(['fresh', 'paid']);
    expect(names(await bills({ order_id: 'order-2' }))).toEqual(['old']);
    expect(names(await bills({ order_id: 'order-2', start_date: '2026-11-01' }))).toEqual([]);
    expect(names(await bills({ order_id: 'order-3' }))).toEqual([]);
  });

  it('pages on and back, by cursors and by links', async () => {
    const first = await bills({ per_page: '3' });
    const next = meta(first).next_cursor ?? '';
    expect([names(first), meta(first)]).toEqual([
      ['fresh', 'paid', 'expired'],
      { per_page: 3, next_cursor: expect.any(String), prev_cursor: null },
    ]);
    const second = await bills({ per_page: '3', cursor: next });
    expect([names(second), meta(second).next_cursor]).toEqual([['multi'], null]);
    expect(names(await bills({ per_page: '3', cursor: meta(second).prev_cursor ?? '' }))).toEqual([
      'fresh',
      'paid',
      'expired',
    ]);
    const base = 'https://pay.example.test/api/v1/bill/search?per_page=3';
    expect(first.body).toMatchObject({
      links: { first: base, last: null, prev: null, next: `${base}&cursor=${next}` },
    });
  });

  it('refuses the cursor of another search, of another merchant, and any other text', async () => {
    const cursor = meta(await bills({ per_page: '1' })).next_cursor ?? '';
    const wrong = invalid('cursor');
    for (const query of [
      { cursor, status: 'NEW' },
      { cursor, start_date: '2026-11-01' },
      { cursor: `${cursor}x` },
      { cursor: Buffer.from('["a"]').toString('base64url') },
      { cursor: 'x' },
    ])
      expect(await bills(query)).toMatchObject(wrong);
    const other = { caller: aCaller({ merchantId: spice }), query: { cursor } };
    expect(await get(billSearch(deps), other)).toMatchObject(wrong);
    expect(await get(paymentSearch(deps), { query: { cursor } })).toMatchObject(wrong);
  });

  it.each([
    ['start_date', '2026-02-30'],
    ['start_date', '21.11.2026'],
    ['finish_date', '2026-11-21 24:00:00'],
    ['finish_date', '2026-11-21T12:00:00Z'],
    ['per_page', '0'],
    ['per_page', '101'],
    ['status', 'PAID'],
    ['type', 'single'],
    ['active', '2'],
  ])('refuses %s %s and names the field', async (field, value) => {
    expect(await bills({ [field]: value })).toMatchObject(invalid(field));
  });

  it('refuses a finish before the start', async () => {
    const query = { start_date: '2026-11-21', finish_date: '2026-11-20' };
    expect(await bills(query)).toMatchObject(invalid('finish_date'));
  });

  it('refuses a banned merchant', async () => {
    const caller = aCaller({ banned: true });
    expect(await get(billSearch(deps), { caller })).toMatchObject(refusal(403, 'merchant_banned'));
    expect(await get(paymentSearch(deps), { caller })).toMatchObject(refusal(403, 'merchant_banned'));
  });

  it('counts days in the environment’s time zone', async () => {
    const there = billSearch({ ...deps, timeZone: 'Asia/Vladivostok' });
    // 12:34 UTC is 22:34 of the same day there; 14:00 UTC would be the next day.
    const on = async (day: string) =>
      names(await get(there, { query: { start_date: day, finish_date: day } }));
    expect(await on('2026-11-21')).toEqual(['fresh', 'paid']);
    expect(await on('2026-11-20')).toEqual(['expired']);
    const second = { start_date: '2026-11-21 21:34:56', finish_date: '2026-11-21 21:34:56' };
    expect(names(await get(there, { query: second }))).toEqual(['fresh']);
  });

  it('finds bills in every shard that the merchant has', async () => {
    const merchantId = toMerchantId('Sharded000000001');
    const caller = aCaller({ merchantId, shards: 4 });
    const ids = Array.from({ length: 12 }, (_, at) => billOf(`sharded${String(at).padStart(2, '0')}x`));
    for (const [at, id] of ids.entries())
      await deps.bills.create(aBill({ id, merchantId, createdAt: ago(at) }), [], [], undefined, 4);
    const found = await get(billSearch(deps), { caller });
    expect(names(found)).toEqual(ids.map((id) => id.replace(/0+$/, '')));
  });
});

describe('GET /api/v1/payment/search', () => {
  it('lists payments newest first, each as payment/status answers it', async () => {
    const found = await payments();
    expect(names(found)).toEqual(['paid', 'multi']);
    const { success, ...status } = (await get(paymentStatus(deps), { query: { id: paymentOf('paid') } }))
      .body;
    expect(found.body).toMatchObject({ data: [status, {}] });
  });

  it.each([
    [{ status: 'SUCCESS' }, ['paid']],
    [{ payment_method: 'SBP' }, ['multi']],
    [{ payment_method: 'bank_card' }, ['paid']],
    [{ shop_id: otherShopId }, ['multi']],
    [{ bill_id: billOf('old') }, ['old']],
    [{ bill_id: billOf('old'), start_date: '2026-11-01' }, []],
    [{ bill_id: billOf('spice') }, []],
    [{ bill_id: 'no bill id' }, []],
    [{ order_id: 'order-1' }, ['paid']],
    [{ order_id: 'order-2' }, ['old']],
    [{ order_id: 'order-1', status: 'FAIL' }, []],
    [{ order_id: 'order-3' }, []],
  ])('filters by %j', async (query, found) => {
    expect(names(await payments(query))).toEqual(found);
  });
});

describe('GET /api/v1/payout/search', () => {
  it('lists each part of a payout as payout/status answers it, by order and by filters', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    const search = { ...harness, ...listsOn(harness.table) };
    const parts = await createdParts(harness, {
      amount: '500000.50',
      destination: toPhone,
      orderId: 'order-1',
    });
    const payouts = (query: Readonly<Record<string, string>> = {}) => get(payoutSearch(search), { query });
    const ids = async (query?: Readonly<Record<string, string>>) =>
      page.parse((await payouts(query)).body).data.map(({ id }) => id);
    const newestFirst = parts.map(({ id }) => String(id)).toReversed();
    expect(await ids()).toEqual(newestFirst);
    const [last = ''] = newestFirst;
    const { success, ...status } = (await get(payoutStatus(harness), { query: { payout_id: last } })).body;
    expect((await payouts()).body).toMatchObject({ data: [status, {}] });
    expect(await ids({ order_id: 'order-1', per_page: '1' })).toEqual([last]);
    expect(await ids({ order_id: 'order-2' })).toEqual([]);
    expect(await ids({ account_type: 'sbp', status: 'moderating' })).toEqual(newestFirst);
    expect(await ids({ account_type: 'credit_card' })).toEqual([]);
    expect(await ids({ status: 'SUCCESS' })).toEqual([]);
    const none = { caller: aCaller({ subscription: 'none' }) };
    expect(await get(payoutSearch(search), none)).toMatchObject(
      refusal(403, 'merchant_subscription_not_found'),
    );
  });
});

describe('GET /api/v1/refund/search', () => {
  it('lists refunds newest first, each as refund/status answers it, by payment, bill and status', async () => {
    const [one, other] = ['aaaaaa', 'bbbbbb'].map((end) => toRefundId(`${paymentOf('paid')}${end}`));
    const ofPaid = { paymentId: paymentOf('paid'), billId: billOf('paid') };
    await put(deps, refundItem(aRefund({ ...ofPaid, id: one!, createdAt: ago(2), status: 'SUCCESS' })));
    await put(deps, refundItem(aRefund({ ...ofPaid, id: other!, createdAt: ago(1), status: 'NEW' })));
    const search = (query: Readonly<Record<string, string>> = {}, caller = aCaller()) =>
      get(refundSearch(deps), { query, caller });
    const ids = async (...asked: Parameters<typeof search>) =>
      page.parse((await search(...asked)).body).data.map(({ id }) => id);
    expect(await ids()).toEqual([other, one]);
    const refunds = dynamoRefunds(deps.table, deps.now);
    const { success, ...status } = (await get(refundStatus({ ...deps, refunds }), { query: { id: one! } }))
      .body;
    expect((await search()).body).toMatchObject({ data: [{}, status] });
    expect(await ids({ payment_id: paymentOf('paid') })).toEqual([other, one]);
    expect(await ids({ bill_id: billOf('paid'), status: 'success' })).toEqual([one]);
    expect(await ids({ payment_id: paymentOf('multi') })).toEqual([]);
    expect(await ids({ payment_id: 'x', bill_id: billOf('paid') })).toEqual([]);
    expect(await ids({ payment_id: paymentOf('paid') }, aCaller({ merchantId: spice }))).toEqual([]);
  });
});

describe('incomplete_before', () => {
  const older = async () => {
    const own = await apiDeps();
    const { list, listAt, ...merchant } = merchantItem(aMerchant());
    await put(own, merchant);
    return own;
  };

  it('is the time of the search until the older items are being migrated, then that of the migration’s start', async () => {
    const own = await older();
    const before = async (query = {}) => (await get(billSearch(own), { query })).body['incomplete_before'];
    expect(await before()).toBe('2026-11-21 12:34:56');
    expect(await before({ order_id: 'order-1' })).toBe('2026-11-21 12:34:56');
    const migration = { PK: 'MIGRATION#LIST', SK: 'MIGRATION', startedAt: '2026-11-20T00:00:00.000Z' };
    await put(own, migration);
    expect(await before()).toBe('2026-11-20 00:00:00');
    expect(await before({ start_date: '2026-11-21' })).toBeUndefined();
    await put(own, { ...migration, endedAt: '2026-11-20T01:00:00.000Z' });
    expect(await before()).toBeUndefined();
  });

  it('is not said of what is found by a key that always was there', async () => {
    const own = await older();
    const said = async (query: Readonly<Record<string, string>>) =>
      (await get(paymentSearch(own), { query })).body['incomplete_before'];
    expect(await said({ bill_id: billOf('old') })).toBeUndefined();
    expect(await said({ order_id: 'order-1' })).toBe('2026-11-21 12:34:56');
  });
});

it('finds a bill of an order from before its bills were listed by the newest one of each shop', async () => {
  const own = await apiDeps();
  const bill = aBill({ id: billOf('earlier'), orderId: 'order-9', createdAt: ago(1) });
  await own.bills.create(bill, [], []);
  const { PK, SK } = billOfOrderItem({ ...bill, orderId: 'order-9' });
  await own.table.client.send(new DeleteCommand({ TableName: own.table.name, Key: { PK, SK } }));
  const found = await get(billSearch(own), { query: { order_id: 'order-9' } });
  expect(names(found)).toEqual(['earlier']);
});

const put = ({ table }: ApiDeps, Item: Readonly<Record<string, unknown>>) =>
  table.client.send(new PutCommand({ TableName: table.name, Item }));
