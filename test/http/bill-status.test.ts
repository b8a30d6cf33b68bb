import { describe, expect, it } from 'vitest';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { create as createBills } from '../../functions/bill-create.ts';
import { create } from '../../functions/bill-status.ts';
import { toBillId, toMerchantId, toShopId } from '../../lib/ids.ts';
import { type ApiDeps, apiDeps, paid } from '../support/api-deps.ts';
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
import { aBill, aPayment, aShop, billId, merchantId, paymentId, shopId, today } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';

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
  it('returns the bill', async () => {
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

  it('shows an order_id that looks like a card number in full: only the operator’s lists mask it', async () => {
    const deps = await apiDeps({ bills: [aBill({ orderId: '1763760000002' })] });
    const { body } = await get(create(deps), { query: { id: billId } });
    expect(body).toMatchObject({ order_id: '1763760000002' });
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

  it('shows an expired unpaid bill as failed and not active', async () => {
    const deps = await apiDeps({ bills: [aBill({ expiresAt: today })] });
    expect((await get(create(deps), { query: { id: billId } })).body).toMatchObject({
      status: 'FAIL',
      active: false,
    });
  });

  it.each(['NORMAL', 'MULTI'] as const)(
    'shows an expired %s bill as not active, paid or not',
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

  it('shows times in the environment’s time zone', async () => {
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
    ['unknown parameters', { query: { id: billId, foo: 'bar', 'a[b]': 'c' } }],
  ] satisfies [string, Sent][])('takes %s', async (_what, sent) => {
    expect(await get(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject({
      status: 200,
      body: shown,
    });
  });

  it('is available to a merchant without subscription and to a deactivated one', async () => {
    const caller = aCaller({ subscription: 'none', enabled: false, verified: false });
    expect(
      await get(create(await apiDeps({ bills: [aBill()] })), { caller, query: { id: billId } }),
    ).toMatchObject({ status: 200 });
  });
});

describe('GET /api/v1/bill/status refuses', () => {
  const others = aBill({ id: toBillId('OthersOthersBill'), merchantId: toMerchantId('AnotherMerchant1') });

  it.each([
    ['a banned merchant', billId, aCaller({ banned: true }), 403, 'merchant_banned'],
    ['a missing bill', 'NoSuchBillAtAll0', aCaller(), 422, 'bill_not_found'],
    ['a missing payment of a bill that exists', `${billId}00NoSuchPa`, aCaller(), 422, 'bill_not_found'],
    ['an invalid id', '../../etc', aCaller(), 422, 'bill_not_found'],
    ['an endless id', 'x'.repeat(9000), aCaller(), 422, 'bill_not_found'],
    ["another merchant's bill", others.id, aCaller(), 422, 'bill_not_found'],
    [
      "another merchant's payment",
      paymentId,
      aCaller({ merchantId: toMerchantId('AnotherMerchant1') }),
      422,
      'bill_not_found',
    ],
  ])('%s', async (_what, id, caller, status, key) => {
    const deps = await apiDeps({ bills: [aBill(), others], payments: [aPayment()] });
    expect(await get(create(deps), { caller, query: { id } })).toMatchObject(refusal(status, key));
  });

  it.each([
    ['two ids', { query: { id: [billId, billId] } }],
    ['a list in JSON', json({ id: [billId] })],
  ] satisfies [string, Sent][])('%s as invalid data', async (_what, sent) => {
    expect(await get(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject(invalid('id'));
  });
});

describe('GET /api/v1/bill/status by order_id', () => {
  const secondShop = aShop({ id: toShopId('AnotherShopOfMer') });
  const minutesLater = (minutes: number) => new Date(today.getTime() + minutes * 60_000);

  /** A bill of the order, as bill/create creates it that many minutes from today. */
  async function aBillOf(
    deps: ApiDeps,
    order: { minutes?: number; shop?: string; amount?: string; id?: string },
  ) {
    const { minutes = 0, shop = shopId, amount = '100.50', id = 'order-1' } = order;
    const handler = createBills({ ...deps, now: () => minutesLater(minutes) });
    const { status, body } = await post(handler, form({ amount, shop_id: shop, order_id: id }));
    expect(status).toBe(200);
    return String(body['bill_id']);
  }
  const asked = async (deps: ApiDeps, query: Readonly<Record<string, string>>) => {
    const { status, body } = await get(create(deps), { query });
    return status === 200 ? body['id'] : body['message'];
  };
  const forget = async ({ table }: ApiDeps, noun: string) => {
    for (const { PK, SK } of (await itemsOf(table)).filter((item) => item.PK.startsWith(noun)))
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK, SK } }));
  };

  it('finds the bill whose response was lost', async () => {
    const deps = await apiDeps();
    const lost = await aBillOf(deps, {});
    expect((await get(create(deps), { query: { order_id: 'order-1' } })).body).toEqual({
      ...shown,
      id: lost,
      order_id: 'order-1',
    });
  });

  it('finds the newest of several, over all shops or of one', async () => {
    const deps = await apiDeps({ shops: [aShop(), secondShop] });
    await aBillOf(deps, { minutes: 0, amount: '1' });
    const ofSecond = await aBillOf(deps, { minutes: 1, shop: secondShop.id });
    expect(await asked(deps, { order_id: 'order-1' })).toBe(ofSecond);
    const newest = await aBillOf(deps, { minutes: 2, amount: '2' });
    expect(await asked(deps, { order_id: 'order-1' })).toBe(newest);
    expect(await asked(deps, { order_id: 'order-1', shop_id: secondShop.id })).toBe(ofSecond);
    expect(await asked(deps, { order_id: 'order-1', shop_id: ` ${shopId} ` })).toBe(newest);
    expect(await asked(deps, { order_id: 'order-1', shop_id: ' ' })).toBe(newest);
  });

  it('finds the same one of two shops’ bills created at the same time, whichever was written first', async () => {
    const found: unknown[] = [];
    for (const shops of [
      [shopId, secondShop.id],
      [secondShop.id, shopId],
    ]) {
      const deps = await apiDeps({ shops: [aShop(), secondShop] });
      const bills = shops.map((shop) =>
        aBill({ id: toBillId(`Bill${shop}`.slice(0, 16)), shopId: shop, orderId: 'order-1' }),
      );
      for (const bill of bills) await deps.bills.create(bill, [], []);
      found.push(await asked(deps, { order_id: 'order-1' }));
    }
    expect(found).toEqual(['BillShopShopShop', 'BillShopShopShop']);
  });

  it('finds, after twenty concurrent creations, the one that the next identical request returns', async () => {
    const deps = await apiDeps();
    const amounts = Array.from({ length: 20 }, (_, at) => `${at + 1}`);
    const ids = await Promise.all(amounts.map((amount) => aBillOf(deps, { amount })));
    const newest = String(await asked(deps, { order_id: 'order-1' }));
    expect(await aBillOf(deps, { amount: amounts[ids.indexOf(newest)]! })).toBe(newest);
  });

  it('finds a bill whose order reference has expired', async () => {
    const deps = await apiDeps();
    const bill = await aBillOf(deps, {});
    await forget(deps, 'O#');
    expect(await asked(deps, { order_id: 'order-1' })).toBe(bill);
    expect((await itemsOf(deps.table)).find(({ PK }) => PK.startsWith('OL#'))).not.toHaveProperty('ttl');
  });

  it('finds a bill from before orders pointed at their newest bill by its order reference', async () => {
    const deps = await apiDeps({ shops: [aShop(), secondShop] });
    const older = await aBillOf(deps, { minutes: 0 });
    const newer = await aBillOf(deps, { minutes: 1, shop: secondShop.id });
    await forget(deps, 'OL#');
    expect(await asked(deps, { order_id: 'order-1' })).toBe(newer);
    expect(await asked(deps, { order_id: 'order-1', shop_id: shopId })).toBe(older);
  });

  it('prefers the id when both are sent', async () => {
    const deps = await apiDeps({ bills: [aBill()] });
    await aBillOf(deps, {});
    expect(await asked(deps, { id: billId, order_id: 'order-1' })).toBe(billId);
    expect(await asked(deps, { id: 'NoSuchBillAtAll0', order_id: 'order-1' })).toBe(
      'api:error.bill_not_found',
    );
  });

  it.each<[string, NonNullable<Sent['query']>]>([
    ['a missing order', { order_id: 'order-2' }],
    ['an order whose id has other blanks', { order_id: ' order-1' }],
    ['an order of another shop', { order_id: 'order-1', shop_id: secondShop.id }],
    ['an invalid shop id', { order_id: 'order-1', shop_id: `${shopId}#x` }],
    ['an endless order_id', { order_id: 'x'.repeat(9000) }],
  ])('does not find %s', async (_what, query) => {
    const deps = await apiDeps();
    await aBillOf(deps, {});
    expect(await get(create(deps), { query })).toMatchObject(refusal(422, 'bill_not_found'));
  });

  it("does not find another merchant's order, even by its shop", async () => {
    const deps = await apiDeps();
    await aBillOf(deps, {});
    const caller = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
    const queries: NonNullable<Sent['query']>[] = [
      { order_id: 'order-1' },
      { order_id: 'order-1', shop_id: shopId },
    ];
    for (const query of queries)
      expect(await get(create(deps), { caller, query })).toMatchObject(refusal(422, 'bill_not_found'));
  });

  it.each([
    ['neither', {}],
    ['both empty', { query: { id: '', order_id: '' } }],
    ['a blank id', { query: { id: ' ' } }],
    ['a shop alone', { query: { shop_id: shopId } }],
  ] satisfies [string, Sent][])('refuses %s as invalid data that names both', async (_what, sent) => {
    expect(await get(create(await apiDeps()), sent)).toMatchObject(invalid('id', 'order_id'));
  });
});

describe('when the store fails', () => {
  it.each([
    ['the bill', billId, { bill: billId }],
    ['the payment', paymentId, { payment: paymentId }],
    ['no card’s number, which has the shape of a bill’s id,', '5213243715986404', {}],
  ])('the log names %s of the request', async (_what, id, named) => {
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
