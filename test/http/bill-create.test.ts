import { describe, expect, it } from 'vitest';
import { create } from '../../functions/bill-create.ts';
import type { ChargeRange } from '../../lib/bill/charge-limits.ts';
import { toBillId, toMerchantId, toPaymentId, toShopId } from '../../lib/ids.ts';
import { apiDeps, start } from '../support/api-deps.ts';
import {
  aCaller,
  form,
  invalid,
  json,
  jsonText,
  multipart,
  post,
  refusal,
  type Sent,
} from '../support/api-event.ts';
import { aBill, aMerchant, aPayment, aShop, merchantId, shopId, today } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';

const order = { amount: '100.50', shop_id: shopId };

/** The order as multipart, with a file in the named field. */
function aFile(name: string): Sent {
  const sent = multipart({ ...order, [name]: 'x' });
  return { ...sent, body: String(sent.body).replace(`name="${name}"`, `name="${name}"; filename="a.txt"`) };
}

/** The bill that a response names. */
async function billOf(
  deps: Awaited<ReturnType<typeof apiDeps>>,
  answer: { readonly body: Readonly<Record<string, unknown>> },
) {
  return deps.bills.find(toBillId(String(answer.body.bill_id)));
}

describe('POST /api/v1/bill/create', () => {
  it('returns the links of a new bill', async () => {
    const answer = await post(create(await apiDeps()), form(order));

    expect(answer).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'Strict-Transport-Security': 'max-age=31536000',
        'X-Content-Type-Options': 'nosniff',
      },
      body: {
        success: 'true',
        link_url: 'https://pay.example.test/link/0000000000000001',
        link_page_url: 'https://pay.example.test/transfer/0000000000000001',
        bill_id: '0000000000000001',
      },
    });
  });

  it('stores every field', async () => {
    const deps = await apiDeps();
    const answer = await post(
      create(deps),
      form({
        ...order,
        order_id: 'Заказ №1',
        description: 'Two\nlines',
        type: 'Multi',
        currency_in: 'EUR',
        custom: '{"a": 1}',
        name: 'Tea',
        payer_pays_commission: '1',
      }),
    );

    expect(await billOf(deps, answer)).toEqual({
      ...aBill({
        id: toBillId('0000000000000001'),
        type: 'MULTI',
        amount: { minor: 10_050n, currency: 'EUR' },
      }),
      orderId: 'Заказ №1',
      description: 'Two\nlines',
      custom: '{"a": 1}',
      name: 'Tea',
      payerPaysCommission: true,
      createdAt: today,
    });
  });

  it.each([
    ['the shop has none', undefined, 'RUB'],
    ['the shop has its own', 'USD', 'USD'],
  ] as const)('is paid in the default currency when %s', async (_case, defaultCurrency, currency) => {
    const deps = await apiDeps({ shops: [aShop({ defaultCurrency })] });
    const answer = await post(create(deps), form(order));
    expect(await billOf(deps, answer)).toMatchObject({ amount: { minor: 10_050n, currency } });
  });

  it('sets an expiry when the shop gives its bills a lifetime', async () => {
    const deps = await apiDeps({ shops: [aShop({ billLifetimeMinutes: 30 })] });
    const answer = await post(create(deps), form(order));
    expect(await billOf(deps, answer)).toMatchObject({ expiresAt: new Date(today.getTime() + 30 * 60_000) });
  });

  it('links to the domain and stage of the request where no address is configured', async () => {
    const answer = await post(create({ ...(await apiDeps()), publicUrl: undefined }), form(order));
    expect(answer.body.link_url).toBe('https://api.example.test/v1/link/0000000000000001');
  });

  it('accepts tenge when there is a rate to the merchant’s settlement currency', async () => {
    const deps = await apiDeps({ merchants: [aMerchant({ settlesKztIn: 'USD' })] });
    await deps.rates.set({ from: 'KZT', to: 'USD', numerator: 2n, denominator: 1000n, setAt: today });
    const answer = await post(create(deps), form({ ...order, currency_in: 'KZT' }));
    expect(answer.status).toBe(200);
  });

  it.each([
    ['a form', form(order)],
    ['multipart', multipart(order)],
    ['JSON', json({ amount: 100.5, shop_id: shopId, type: 'normal', payer_pays_commission: false })],
    ['the query alone', { query: order }],
    [
      'JSON with nulls',
      json({ ...order, order_id: null, type: null, currency_in: null, custom: null, name: null }),
    ],
    [
      'empty fields',
      form({ ...order, order_id: '', type: '', currency_in: '', name: '', payer_pays_commission: '' }),
    ],
    ['unknown fields', form({ ...order, foo: 'bar', 'items[0][name]': 'Tea', _token: 'x' })],
    ['unknown nested data', json({ ...order, items: [{ name: 'Tea' }], meta: { a: 1 } })],
    ['flags as words', form({ ...order, payer_pays_commission: 'false' })],
    ['an unchecked box as a word', form({ ...order, payer_pays_commission: 'Off' })],
    ['an amount between blanks', form({ ...order, amount: ' 100.5000\t' })],
    ['words in any case', form({ ...order, currency_in: 'rub', type: 'NoRmAl' })],
    ['a shop between blanks', form({ ...order, shop_id: ` ${shopId}\n` })],
    [
      'ASCII under the label of another charset',
      form(order, { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=ISO-8859-1' } }),
    ],
  ] satisfies [string, Sent][])('takes %s', async (_what, sent) => {
    const deps = await apiDeps();
    const answer = await post(create(deps), sent);
    expect(await billOf(deps, answer)).toEqual(aBill({ id: toBillId('0000000000000001') }));
  });

  it.each([
    ['16', 1_600n],
    ['100.5', 10_050n],
    ['100.50', 10_050n],
    ['1e+06', 100_000_000n],
    ['99999999.99', 9_999_999_999n],
    ['100.5000', 10_050n],
    ['3.30', 330n],
    ['7.000000000000001', 700n],
    ['99.89999999999999', 9_990n],
  ])('reads the amount %s as text and as a JSON number alike', async (amount, minor) => {
    const deps = await apiDeps();
    const asText = await post(create(deps), form({ ...order, amount }));
    const asNumber = await post(create(deps), jsonText(`{"amount":${amount},"shop_id":"${shopId}"}`));
    expect((await billOf(deps, asText))?.amount.minor).toBe(minor);
    expect((await billOf(deps, asNumber))?.amount.minor).toBe(minor);
  });

  it.each([
    ['a switched-on flag', form({ ...order, payer_pays_commission: 'YES' }), { payerPaysCommission: true }],
    ['a checked box', form({ ...order, payer_pays_commission: 'on' }), { payerPaysCommission: true }],
    [
      'blanks in order_id and custom',
      form({ ...order, order_id: ' 7 ', custom: ' x ' }),
      { orderId: ' 7 ', custom: ' x ' },
    ],
    ['an empty custom', json({ ...order, custom: '' }), { custom: '' }],
    ['a custom of keys', form({ ...order, 'custom[user]': '7' }), { custom: '{"user":"7"}' }],
    ['a custom of JSON', json({ ...order, custom: { cart: [1, 2] } }), { custom: '{"cart":[1,2]}' }],
    [
      'a long numeric order_id',
      jsonText(`{"amount":1,"shop_id":"${shopId}","order_id":1234567890123456789}`),
      { orderId: '1234567890123456789' },
    ],
  ] satisfies [string, Sent, object][])('keeps %s', async (_what, sent, kept) => {
    const deps = await apiDeps();
    expect(await billOf(deps, await post(create(deps), sent))).toMatchObject(kept);
  });
});

describe('POST /api/v1/bill/create refuses', () => {
  const others = aShop({ id: toShopId('OthersOthersShop'), merchantId: toMerchantId('AnotherMerchant1') });
  const disabled = aShop({ enabled: false });

  it.each([
    ['a banned merchant', {}, form(order, { caller: aCaller({ banned: true }) }), 'merchant_banned'],
    ['a deactivated merchant', {}, form(order, { caller: aCaller({ enabled: false }) }), 'shop_not_enabled'],
    ['a deactivated shop', { shops: [disabled] }, form(order), 'shop_not_enabled'],
    ['a missing shop', {}, form({ ...order, shop_id: 'NoSuchShopAtAll0' }), 'shop_not_found'],
    ['an invalid shop id', {}, form({ ...order, shop_id: '\u0000 ¿' }), 'shop_not_found'],
    ['an endless shop id', {}, form({ ...order, shop_id: 'x'.repeat(5000) }), 'shop_not_found'],
    ["another merchant's shop", { shops: [others] }, form({ ...order, shop_id: others.id }), 'access_denied'],
    ['tenge without a rate', {}, form({ ...order, currency_in: 'KZT' }), 'no_payout'],
    ['zero', {}, form({ ...order, amount: '0' }), 'invalid_amount'],
    ['a negative amount', {}, form({ ...order, amount: '-1' }), 'invalid_amount'],
    ['half a kopeck', {}, form({ ...order, amount: '1.005' }), 'invalid_amount'],
    ['a hundred million', {}, form({ ...order, amount: '100000000' }), 'invalid_amount'],
    ['words', {}, form({ ...order, amount: 'ten' }), 'invalid_amount'],
    ['a comma', {}, form({ ...order, amount: '1,50' }), 'invalid_amount'],
    ['an amount out of all range', {}, jsonText(`{"amount":1e400,"shop_id":"${shopId}"}`), 'invalid_amount'],
    ['true', {}, json({ ...order, amount: true }), 'invalid_amount'],
  ])('%s', async (_what, given, sent, key) => {
    expect(await post(create(await apiDeps(given)), sent)).toMatchObject(refusal(403, key));
  });

  it('an invalid amount with a message that says what a valid one looks like', async () => {
    const answer = await post(create(await apiDeps()), form({ ...order, amount: '99.895' }));
    expect(answer).toMatchObject(refusal(403, 'invalid_amount'));
    expect(answer.body['errors']).toEqual({
      amount: [expect.stringMatching(/two decimals.*such as 100\.50/)],
    });
  });

  it.each([
    ['no amount', form({ shop_id: shopId }), 'amount'],
    ['an empty amount', form({ ...order, amount: '' }), 'amount'],
    ['no shop', form({ amount: '1' }), 'shop_id'],
    ['a blank shop', form({ ...order, shop_id: ' ' }), 'shop_id'],
    ['nothing at all', {}, 'amount shop_id'],
    ['an amount given twice', { query: { ...order, amount: ['1', '1'] } }, 'amount'],
    ['a list as amount', json({ ...order, amount: ['1'] }), 'amount'],
    ['another type', form({ ...order, type: 'single' }), 'type'],
    ['another currency', form({ ...order, currency_in: 'GBP' }), 'currency_in'],
    ['another flag', form({ ...order, payer_pays_commission: 'maybe' }), 'payer_pays_commission'],
    ['a line break in the order_id', form({ ...order, order_id: 'a\nb' }), 'order_id'],
    ['a zero byte in the order_id', form({ ...order, order_id: 'a\0b' }), 'order_id'],
    ['a line separator in the order_id', form({ ...order, order_id: 'a\u2028b' }), 'order_id'],
    ['an order_id of 256 characters', form({ ...order, order_id: 'x'.repeat(256) }), 'order_id'],
    [
      'half a surrogate pair',
      jsonText(`{"amount":1,"shop_id":"${shopId}","order_id":"\\ud800"}`),
      'order_id',
    ],
    [
      'a description of over 1024 characters',
      form({ ...order, description: 'x'.repeat(1025) }),
      'description',
    ],
    ['a name of 256 characters', form({ ...order, name: 'x'.repeat(256) }), 'name'],
    ['a custom of over 4096 characters', form({ ...order, custom: 'x'.repeat(4097) }), 'custom'],
    ['a file as custom', aFile('custom'), 'custom'],
    ['a file as name', aFile('name'), 'name'],
    ['an unreadable body', jsonText('{'), 'body'],
    [
      'an endless Idempotency-Key',
      form(order, { headers: { 'Idempotency-Key': 'x'.repeat(256) } }),
      'Idempotency-Key',
    ],
    [
      'an Idempotency-Key in quotes with nothing in it',
      form(order, { headers: { 'Idempotency-Key': '""' } }),
      'Idempotency-Key',
    ],
    [
      'an unprintable Idempotency-Key',
      form(order, { headers: { 'Idempotency-Key': 'ключ' } }),
      'Idempotency-Key',
    ],
  ] satisfies [string, Sent, string][])(
    '%s as invalid data that names the field',
    async (_what, sent, fields) => {
      expect(await post(create(await apiDeps()), sent)).toMatchObject(invalid(...fields.split(' ')));
    },
  );

  it('and writes nothing', async () => {
    const deps = await apiDeps();
    const before = await itemsOf(deps.table);
    const headers = { 'Idempotency-Key': 'key-1' };
    await post(create(deps), form({ ...order, amount: '0', order_id: '1' }, { headers }));
    await post(create(deps), form({ ...order, currency_in: 'KZT', order_id: '1' }, { headers }));
    await post(
      create(deps),
      form({ ...order, order_id: '1' }, { headers, caller: aCaller({ banned: true }) }),
    );
    expect(await itemsOf(deps.table)).toEqual(before);
  });

  it('in the order of the contract: data, merchant, shop, amount, currency', async () => {
    const deps = await apiDeps({ shops: [disabled, others] });
    const banned = aCaller({ banned: true });
    const asked = { amount: '0', currency_in: 'KZT' };
    expect(
      await post(create(deps), form({ ...asked, shop_id: '', type: 'x' }, { caller: banned })),
    ).toMatchObject({ status: 422 });
    expect(await post(create(deps), form({ ...asked, shop_id: 'x' }, { caller: banned }))).toMatchObject(
      refusal(403, 'merchant_banned'),
    );
    expect(await post(create(deps), form({ ...asked, shop_id: 'x' }))).toMatchObject(
      refusal(403, 'shop_not_found'),
    );
    expect(await post(create(deps), form({ ...asked, shop_id: others.id }))).toMatchObject(
      refusal(403, 'access_denied'),
    );
    expect(await post(create(deps), form({ ...asked, shop_id: shopId }))).toMatchObject(
      refusal(403, 'shop_not_enabled'),
    );
    const enabled = await apiDeps();
    expect(await post(create(enabled), form({ ...asked, shop_id: shopId }))).toMatchObject(
      refusal(403, 'invalid_amount'),
    );
    expect(await post(create(enabled), form({ ...asked, shop_id: shopId, amount: '1' }))).toMatchObject(
      refusal(403, 'no_payout'),
    );
  });
});

describe('a charge that no provider takes', () => {
  const range = (min: bigint, max: bigint) => ({ minMinor: min, maxMinor: max });
  /** Cards from 10.00 to 350,000.00 roubles, SBP from 1.00 to 700,000.00; cards from 5.00 to 10.00 and from 20.00 in euros. */
  const ranges: Partial<Record<string, readonly ChargeRange[]>> = {
    RUB: [range(1_000n, 35_000_000n), range(100n, 70_000_000n)],
    EUR: [range(2_000n, 9_000_000n), range(500n, 1_000n)],
    KZT: [range(100n, 70_000_000n)],
  };
  const withProviders = () =>
    apiDeps({ chargeLimits: { rangesIn: (currency) => ranges[currency] ?? [], methodsIn: () => undefined } });
  const created = async (fields: Readonly<Record<string, string>>) =>
    post(create(await withProviders()), form({ ...order, ...fields }));

  it.each([
    ['the least of any method', { amount: '1' }],
    ['the most of any method', { amount: '700000' }],
    ['the most, the payer’s fee included', { amount: '686274.51', payer_pays_commission: '1' }],
    ['either of two ranges', { amount: '20', currency_in: 'EUR' }],
  ])('is none with %s', async (_what, fields) => {
    expect(await created(fields)).toMatchObject({ status: 200 });
  });

  it('in a currency that none takes is no_payout', async () => {
    expect(await created({ currency_in: 'USD' })).toMatchObject(refusal(403, 'no_payout'));
  });

  it('is invalid_amount with the field, the charge and the range', async () => {
    const answer = await created({ amount: '0.99' });
    expect(answer).toMatchObject(refusal(403, 'invalid_amount'));
    expect(answer.body).toMatchObject({
      errors: {
        amount: ['The payer would be charged 0.99 RUB: a charge must be from 1.00 to 700000.00.'],
      },
      details: { charge: 0.99, minimum: 1, maximum: 700_000 },
    });
  });

  it('is the amount with the fee that the payer pays', async () => {
    const paying = { amount: '686274.52', payer_pays_commission: '1' };
    const answer = await created(paying);
    expect(answer).toMatchObject(refusal(403, 'invalid_amount'));
    expect(answer.body['errors']).toEqual({
      amount: [
        'The payer would be charged 700000.01 RUB (the amount 686274.52 and the fee 13725.49): a charge must be from 1.00 to 700000.00.',
      ],
    });
    expect(await created({ ...paying, payer_pays_commission: '0' })).toMatchObject({ status: 200 });
  });

  it('may lie between two ranges, and both are named', async () => {
    const answer = await created({ amount: '15', currency_in: 'EUR' });
    expect(answer.body['errors']).toEqual({
      amount: [
        'The payer would be charged 15.00 EUR: a charge must be from 5.00 to 10.00 or from 20.00 to 90000.00.',
      ],
    });
  });

  it('still needs a settlement route', async () => {
    expect(await created({ currency_in: 'KZT' })).toMatchObject(refusal(403, 'no_payout'));
  });

  it('is unknown while the record names no provider: nothing is checked', async () => {
    const answer = await post(
      create(await apiDeps()),
      form({ ...order, amount: '0.01', currency_in: 'USD' }),
    );
    expect(answer.status).toBe(200);
  });

  it('writes nothing', async () => {
    const deps = await withProviders();
    const before = await itemsOf(deps.table);
    await post(create(deps), form({ ...order, amount: '0.01', order_id: '1' }));
    expect(await itemsOf(deps.table)).toEqual(before);
  });
});

describe('a repeated order_id', () => {
  const ordered = form({ ...order, order_id: 'order-1' });
  const twice = async (
    deps: Awaited<ReturnType<typeof apiDeps>>,
    between: (id: string) => Promise<unknown>,
    again = ordered,
  ) => {
    const first = await post(create(deps), ordered);
    await between(String(first.body.bill_id));
    const second = await post(create(deps), again);
    return { first, second, same: first.body.bill_id === second.body.bill_id };
  };

  it('returns the same bill while it can still be paid, and says so', async () => {
    const { first, second } = await twice(await apiDeps(), async () => undefined);
    expect(second.body).toEqual(first.body);
    expect([first.headers['Idempotency-Replayed'], second.headers['Idempotency-Replayed']]).toEqual([
      undefined,
      'true',
    ]);
  });

  it('is the same order however its amount is spelled', async () => {
    const spelled = json({
      amount: 100.5,
      shop_id: shopId,
      order_id: 'order-1',
      currency_in: 'RUB',
      type: 'NORMAL',
      payer_pays_commission: 0,
    });
    expect(await twice(await apiDeps(), async () => undefined, spelled)).toMatchObject({ same: true });
  });

  it.each([
    ['another amount', form({ ...order, order_id: 'order-1', amount: '100.51' })],
    ['another currency', form({ ...order, order_id: 'order-1', currency_in: 'USD' })],
    ['another type', form({ ...order, order_id: 'order-1', type: 'multi' })],
    ['another description', form({ ...order, order_id: 'order-1', description: 'x' })],
    ['another name', form({ ...order, order_id: 'order-1', name: 'x' })],
    ['another custom', form({ ...order, order_id: 'order-1', custom: 'x' })],
    ['a custom that is empty, not absent', form({ ...order, order_id: 'order-1', custom: '' })],
    ['the commission on the payer', form({ ...order, order_id: 'order-1', payer_pays_commission: '1' })],
  ])('with %s creates a new bill', async (_what, again) => {
    expect(await twice(await apiDeps(), async () => undefined, again)).toMatchObject({ same: false });
  });

  it('with the data of the request before the last creates a new bill: the order has moved on', async () => {
    const deps = await apiDeps();
    const between = () => post(create(deps), form({ ...order, order_id: 'order-1', amount: '7' }));
    expect(await twice(deps, between)).toMatchObject({ same: false });
  });

  it('creates a new bill when the old one was switched off', async () => {
    const deps = await apiDeps();
    const off = (billId: string) =>
      deps.bills.setActive({ merchantId, billId: toBillId(billId), active: false });
    expect(await twice(deps, off)).toMatchObject({ same: false });
  });

  it('creates a new bill when the old one expired', async () => {
    const deps = await apiDeps({ shops: [aShop({ billLifetimeMinutes: 30 })] });
    let now = today;
    const clocked = { ...deps, now: () => now };
    const later = async () => {
      now = new Date(today.getTime() + 30 * 60_000);
    };
    expect(await twice(clocked, later)).toMatchObject({ same: false });
  });

  it('of another shop or another merchant is another order', async () => {
    const second = aShop({ id: toShopId('SecondSecondShop') });
    const others = aShop({ id: toShopId('OthersOthersShop'), merchantId: toMerchantId('AnotherMerchant1') });
    const deps = await apiDeps({ shops: [aShop(), second, others] });
    const caller = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
    expect(
      await twice(deps, async () => undefined, form({ ...order, order_id: 'order-1', shop_id: second.id })),
    ).toMatchObject({ same: false });
    expect(
      await twice(
        deps,
        async () => undefined,
        form({ ...order, order_id: 'order-1', shop_id: others.id }, { caller }),
      ),
    ).toMatchObject({ same: false });
  });

  it('returns a bill that is being paid', async () => {
    const deps = await apiDeps();
    const paying = (billId: string) =>
      start(deps, aPayment({ billId: toBillId(billId), id: toPaymentId(`${billId}00Payment1`) }));
    expect(await twice(deps, paying)).toMatchObject({ same: true });
  });

  it('in twenty requests at once makes one bill', async () => {
    const deps = await apiDeps();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(create(deps), ordered)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.bill_id)).size).toBe(1);
    expect((await itemsOf(deps.table)).filter(({ PK }) => PK.startsWith('B#'))).toHaveLength(1);
  });
});

describe('one order_id in twenty concurrent requests, each with another amount', () => {
  it('creates a bill for each', async () => {
    const deps = await apiDeps();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(create(deps), form({ ...order, order_id: 'order-1', amount: `${n + 1}` })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.bill_id)).size).toBe(20);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (key: string, fields: Readonly<Record<string, string>> = order) =>
    form(fields, { headers: { 'idempotency-key': key } });

  it('returns the same bill again, even when it was switched off meanwhile', async () => {
    const deps = await apiDeps();
    const first = await post(create(deps), keyed('key-1'));
    await deps.bills.setActive({ merchantId, billId: toBillId(String(first.body.bill_id)), active: false });
    const second = await post(create(deps), keyed('key-1'));
    expect(second).toMatchObject({ body: first.body, headers: { 'Idempotency-Replayed': 'true' } });
  });

  it('is the same key in quotes', async () => {
    const deps = await apiDeps();
    const first = await post(create(deps), keyed('key-1'));
    expect((await post(create(deps), keyed('"key-1"'))).body).toEqual(first.body);
  });

  it('with other data is refused with a message that names it', async () => {
    const deps = await apiDeps();
    await post(create(deps), keyed('key-1'));
    expect(await post(create(deps), keyed('key-1', { ...order, amount: '7' }))).toMatchObject(
      invalid('Idempotency-Key'),
    );
  });

  it('that is new, on an open order, returns its bill now and later', async () => {
    const deps = await apiDeps();
    const first = await post(create(deps), form({ ...order, order_id: 'order-1' }));
    const withOrder = keyed('key-1', { ...order, order_id: 'order-1' });
    expect((await post(create(deps), withOrder)).body).toEqual(first.body);
    await deps.bills.setActive({ merchantId, billId: toBillId(String(first.body.bill_id)), active: false });
    expect((await post(create(deps), withOrder)).body).toEqual(first.body);
  });

  it('that is empty counts as absent', async () => {
    const deps = await apiDeps();
    const answers = [await post(create(deps), keyed('')), await post(create(deps), keyed(' '))];
    expect(new Set(answers.map(({ body }) => body.bill_id)).size).toBe(2);
  });

  it("does not reach another merchant's bills", async () => {
    const others = aShop({ id: toShopId('OthersOthersShop'), merchantId: toMerchantId('AnotherMerchant1') });
    const deps = await apiDeps({ shops: [aShop(), others] });
    const first = await post(create(deps), keyed('key-1'));
    const second = await post(create(deps), {
      ...keyed('key-1', { ...order, shop_id: others.id }),
      caller: aCaller({ merchantId: toMerchantId('AnotherMerchant1') }),
    });
    expect(second.status).toBe(200);
    expect(second.body.bill_id).not.toBe(first.body.bill_id);
  });

  it('in twenty requests at once makes one bill', async () => {
    const deps = await apiDeps();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(create(deps), keyed('key-1', { ...order, order_id: 'o' }))),
    );
    expect(new Set(answers.map(({ body }) => body.bill_id)).size).toBe(1);
  });

  it('is not used up by a refused request', async () => {
    const deps = await apiDeps();
    await post(create(deps), keyed('key-1', { ...order, amount: '0' }));
    expect((await post(create(deps), keyed('key-1'))).status).toBe(200);
  });
});

describe('without order_id and key', () => {
  it('each request creates a bill of its own', async () => {
    const deps = await apiDeps();
    const answers = [await post(create(deps), form(order)), await post(create(deps), form(order))];
    expect(new Set(answers.map(({ body }) => body.bill_id)).size).toBe(2);
  });
});

describe('when the store fails', () => {
  it('the response is the general error, and the log names only the error, the request and the merchant', async () => {
    const deps = await apiDeps();
    const broken = {
      ...deps,
      shops: { ...deps.shops, find: () => Promise.reject(new TypeError('secret text')) },
    };
    const answer = await post(create(broken), form(order));
    expect(answer).toMatchObject(refusal(500, 'general_error'));
    expect(deps.logged).toEqual([
      [
        'error',
        'endpoint_failed',
        { endpoint: 'bill-create', error: 'TypeError', requestId: 'request-1', merchant: merchantId },
      ],
    ]);
  });
});
