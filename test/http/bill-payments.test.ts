import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../functions/bill-payments.ts';
import { toMerchantId, toPaymentId } from '../../lib/ids.ts';
import { type ApiDeps, apiDeps, paid, start } from '../support/api-deps.ts';
import { aCaller, get, invalid, json, refusal, type Sent } from '../support/api-event.ts';
import { aBill, aPayment, billId, paymentId, today } from '../support/builders.ts';

/** The nth payment of the bill, a second after the one before. */
const nth = (n: number) =>
  aPayment({
    id: toPaymentId(`${billId}00${String(n).padStart(8, '0')}`),
    billType: 'MULTI',
    createdAt: new Date(today.getTime() + n * 1000),
  });

const idsOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): unknown[] =>
  Array.isArray(body.data) ? body.data.map(({ id }) => id) : [];

describe('GET /api/v1/bill/payments', () => {
  it('returns an empty list for a bill without payments', async () => {
    const deps = await apiDeps({ bills: [aBill()] });
    expect(await get(create(deps), { query: { id: billId } })).toMatchObject({
      status: 200,
      body: { success: true, data: [] },
    });
  });

  it('returns every field of each payment, and nothing else', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId);
    expect((await get(create(deps), { query: { id: billId } })).body).toEqual({
      success: true,
      data: [
        {
          id: paymentId,
          bill_id: billId,
          status: 'SUCCESS',
          amount: 100.5,
          amount_received: 100.5,
          from_card: '411111******1111',
          currency_in: 'RUB',
          created_at: '2026-11-21 12:34:56',
          commission: 2.01,
          account_amount: 98.49,
          account_currency_code: 'RUB',
          refunded_amount: 0,
          payment_method: 'BANK_CARD',
        },
      ],
    });
  });

  it('lists the newest first', async () => {
    const deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })], payments: [nth(2), nth(1), nth(3)] });
    expect(idsOf(await get(create(deps), { query: { id: billId } }))).toEqual([
      nth(3).id,
      nth(2).id,
      nth(1).id,
    ]);
  });

  it('pages through them by limit and cursor, each once', async () => {
    const payments = [nth(1), nth(2), nth(3), nth(4), nth(5)];
    const deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })], payments });
    const seen: unknown[] = [];
    const sizes: number[] = [];
    for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
      const page = await get(create(deps), { query: { id: billId, limit: '2', cursor } });
      seen.push(...idsOf(page));
      sizes.push(idsOf(page).length);
      cursor = page.body.next_cursor;
    }
    expect(new Set(seen)).toEqual(new Set(payments.map(({ id }) => id)));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('marks a full page as the last', async () => {
    const deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })], payments: [nth(1), nth(2)] });
    expect((await get(create(deps), { query: { id: billId, limit: '2' } })).body.next_cursor).toBeNull();
  });

  it('with per_page says where the page is as searches do', async () => {
    const deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })], payments: [nth(1), nth(2)] });
    const page = async (query: Readonly<Record<string, string>>) =>
      (await get(create(deps), { query: { id: billId, ...query } })).body;
    const first = await page({ per_page: '1' });
    const next = new URL(String(Object(first['links']).next));
    expect(next.searchParams.get('cursor')).toBe(first.next_cursor);
    expect(next.searchParams.get('per_page')).toBe('1');
    expect(first['meta']).toEqual({ per_page: 1, next_cursor: first.next_cursor, prev_cursor: null });
    const second = await page({ per_page: '1', cursor: String(first.next_cursor) });
    expect(second).toMatchObject({
      data: [{}],
      links: { prev: null, next: null },
      meta: { next_cursor: null },
    });
    expect(await page({ limit: '1' })).not.toHaveProperty('meta');
    expect(await page({})).not.toHaveProperty('meta');
    expect(await page({ limit: '1' })).not.toHaveProperty('links');
  });

  it('accepts its parameters in a JSON body', async () => {
    const deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })], payments: [nth(1), nth(2)] });
    expect(idsOf(await get(create(deps), json({ id: billId, limit: 1 })))).toHaveLength(1);
    expect(idsOf(await get(create(deps), json({ id: billId, per_page: 1 })))).toHaveLength(1);
  });
});

describe('a bill of many payments', () => {
  let deps: ApiDeps;
  beforeAll(async () => {
    deps = await apiDeps({ bills: [aBill({ type: 'MULTI' })] });
    for (let n = 0; n < 1000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => start(deps, nth(n + at))));
  });

  it('is listed at once up to a thousand payments, and refused above', async () => {
    expect(idsOf(await get(create(deps), { query: { id: billId } }))).toHaveLength(1000);
    await start(deps, nth(1000));
    expect(await get(create(deps), { query: { id: billId } })).toMatchObject(
      refusal(400, 'too_many_payments'),
    );
  });

  it('is still read page by page', async () => {
    const first = await get(create(deps), { query: { id: billId, limit: '1000' } });
    const rest = await get(create(deps), { query: { id: billId, cursor: String(first.body.next_cursor) } });
    expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(1001);
    expect(rest.body.next_cursor).toBeNull();
  });
});

describe('GET /api/v1/bill/payments refuses', () => {
  it.each([
    ['a banned merchant', billId, aCaller({ banned: true }), 'merchant_banned'],
    ['a missing bill', 'NoSuchBillAtAll0', aCaller(), 'bill_not_found'],
    ['an id that is none', '%', aCaller(), 'bill_not_found'],
    [
      "another merchant's bill",
      billId,
      aCaller({ merchantId: toMerchantId('AnotherMerchant1') }),
      'bill_not_found',
    ],
  ])('%s', async (_what, id, caller, key) => {
    const deps = await apiDeps({ bills: [aBill()] });
    expect(await get(create(deps), { caller, query: { id } })).toMatchObject(refusal(403, key));
  });

  it.each([
    ['no id', {}, 'id'],
    ['no payments on a page', { query: { id: billId, limit: '0' } }, 'limit'],
    ['more than a thousand on a page', { query: { id: billId, limit: '1001' } }, 'limit'],
    ['half a payment', { query: { id: billId, limit: '1.5' } }, 'limit'],
    ['an invalid cursor', { query: { id: billId, cursor: 'next' } }, 'cursor'],
    ["another bill's cursor", { query: { id: billId, cursor: 'OthersOthersBill00Payment1' } }, 'cursor'],
  ] satisfies [string, Sent, string][])('%s as invalid data', async (_what, sent, field) => {
    expect(await get(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject(invalid(field));
  });
});
