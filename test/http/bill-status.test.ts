import { describe, expect, it } from 'vitest';
import { create } from '../../functions/bill-status.ts';
import { apiDeps, paid } from '../support/api-deps.ts';
import {
  aCaller,
  form,
  get,
  invalid,
  json,
  multipart,
  post,
  refusal,
  type Sent,
} from '../support/api-event.ts';
import { aBill, aPayment, billId, merchantId, paymentId, today } from '../support/builders.ts';

const shown = {
  success: true,
  id: billId,
  status: 'NEW',
  type: 'NORMAL',
  amount: 100.5,
  currency_in: 'RUB',
  created_at: '2026-11-21 12:34:56',
  active: true,
  order_id: '',
};

describe('GET /api/v1/bill/status', () => {
  it('answers with the bill', async () => {
    const deps = await apiDeps({ bills: [aBill()] });
    expect(await get(create(deps), { query: { id: billId } })).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'Strict-Transport-Security': 'max-age=31536000',
        'X-Content-Type-Options': 'nosniff',
      },
      body: shown,
    });
  });

  it('shows order_id and activity', async () => {
    const deps = await apiDeps({ bills: [aBill({ orderId: 'order-1', active: false })] });
    expect((await get(create(deps), { query: { id: billId } })).body).toEqual({
      ...shown,
      order_id: 'order-1',
      active: false,
    });
  });

  it('finds the bill of a payment id', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    expect((await get(create(deps), { query: { id: paymentId } })).body).toEqual({
      ...shown,
      status: 'PROCESS',
    });
  });

  it('shows a paid bill as paid', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId);
    expect((await get(create(deps), { query: { id: billId } })).body).toMatchObject({ status: 'SUCCESS' });
  });

  it('shows an unpaid bill whose time is over as failed and not active', async () => {
    const deps = await apiDeps({ bills: [aBill({ expiresAt: today })] });
    expect((await get(create(deps), { query: { id: billId } })).body).toMatchObject({
      status: 'FAIL',
      active: false,
    });
  });

  it.each(['NORMAL', 'MULTI'] as const)(
    'shows a %s bill whose time is over as not active, paid or not',
    async (type) => {
      const bill = aBill({ type, expiresAt: new Date(today.getTime() + 60_000) });
      const deps = await apiDeps({ bills: [bill], payments: [aPayment({ billType: type })] });
      await paid(deps, paymentId);
      const status = async (now: Date) =>
        (await get(create({ ...deps, now: () => now }), { query: { id: billId } })).body;
      expect(await status(today)).toMatchObject({ active: true });
      expect(await status(new Date(today.getTime() + 60_000))).toMatchObject({ active: false });
    },
  );

  it('tells the time of the environment', async () => {
    const deps = { ...(await apiDeps({ bills: [aBill()] })), timeZone: 'Asia/Vladivostok' };
    expect((await get(create(deps), { query: { id: billId } })).body.created_at).toBe('2026-11-21 22:34:56');
  });

  it.each([
    ['a JSON body', json({ id: billId })],
    ['a JSON body that adds to the query', json({ id: 'other' }, { query: { id: billId } })],
    ['a form body beside the query', form({ id: 'other' }, { query: { id: billId } })],
    ['a multipart body beside the query', multipart({ id: 'other' }, { query: { id: billId } })],
    [
      'a broken body beside the query',
      { headers: { 'Content-Type': 'application/json' }, body: '{', query: { id: billId } },
    ],
    ['parameters that nobody knows', { query: { id: billId, foo: 'bar', 'a[b]': 'c' } }],
  ] satisfies [string, Sent][])('takes %s', async (_what, sent) => {
    expect(await get(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject({
      status: 200,
      body: shown,
    });
  });

  it('is read by a merchant without subscription, and by one that is deactivated', async () => {
    const caller = aCaller({ subscription: 'none', enabled: false, verified: false });
    expect(
      await get(create(await apiDeps({ bills: [aBill()] })), { caller, query: { id: billId } }),
    ).toMatchObject({ status: 200 });
  });
});

describe('GET /api/v1/bill/status refuses', () => {
  const others = aBill({ id: 'OthersOthersBill', merchantId: 'AnotherMerchant1' });

  it.each([
    ['a banned merchant', billId, aCaller({ banned: true }), 403, 'merchant_banned'],
    ['a missing bill', 'NoSuchBillAtAll0', aCaller(), 422, 'bill_not_found'],
    ['a missing payment of a bill that exists', `${billId}00NoSuchPa`, aCaller(), 422, 'bill_not_found'],
    ['an id that is none', '../../etc', aCaller(), 422, 'bill_not_found'],
    ['an endless id', 'x'.repeat(9000), aCaller(), 422, 'bill_not_found'],
    ["another merchant's bill", others.id, aCaller(), 422, 'bill_not_found'],
    [
      "another merchant's payment",
      paymentId,
      aCaller({ merchantId: 'AnotherMerchant1' }),
      422,
      'bill_not_found',
    ],
  ])('%s', async (_what, id, caller, status, key) => {
    const deps = await apiDeps({ bills: [aBill(), others], payments: [aPayment()] });
    expect(await get(create(deps), { caller, query: { id } })).toMatchObject(refusal(status, key));
  });

  it.each([
    ['no id', {}],
    ['an empty id', { query: { id: '' } }],
    ['two ids', { query: { id: [billId, billId] } }],
    ['a list in JSON', json({ id: [billId] })],
  ] satisfies [string, Sent][])('%s as invalid data', async (_what, sent) => {
    expect(await get(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject(invalid('id'));
  });
});

describe('when the store fails', () => {
  it.each([
    ['the bill', billId, { bill: billId }],
    ['the payment', paymentId, { payment: paymentId }],
    ['no card’s number, which has the shape of a bill’s id,', '5213243715986404', {}],
  ])('the log names %s that was asked about', async (_what, id, named) => {
    const fails = () => Promise.reject(new TypeError('secret text'));
    const deps = await apiDeps();
    const [bills, payments] = [
      { ...deps.bills, find: fails },
      { ...deps.payments, findWithBill: fails },
    ];
    for (const sent of [{ query: { id } }, form({ id }), json({ id }), multipart({ id })])
      await ('query' in sent ? get : post)(create({ ...deps, bills, payments }), sent);
    const ids = { requestId: 'request-1', merchant: merchantId, ...named };
    const line = ['error', 'endpoint_failed', { endpoint: 'bill-status', error: 'TypeError', ...ids }];
    expect(deps.logged).toEqual([line, line, line, line]);
  });
});
