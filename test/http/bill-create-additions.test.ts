import { describe, expect, it } from 'vitest';
import { create } from '../../functions/bill-create.ts';
import { create as status } from '../../functions/bill-status.ts';
import { create as toggle } from '../../functions/bill-toggle-activity.ts';
import { optionFields } from '../../lib/bill/options.ts';
import { toBillId } from '../../lib/ids.ts';
import { type ApiDeps, apiDeps } from '../support/api-deps.ts';
import { form, get, json, jsonText, multipart, post, type Sent } from '../support/api-event.ts';
import { aShop, otherShopId, shopId, today } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';

const order = { amount: '100.50', shop_id: shopId };
const payer = {
  payer_email: 'Ivan@Example.ru',
  payer_phone: '8 (912) 345-67-12',
  payer_name: 'Ivan Petrov',
};
const masks = { payer_email: 'I***@e***.ru', payer_phone: '+7 *** ***-**-12', payer_name: 'I*** P***' };
const tea = { name: 'Tea', price: '40.25', quantity: '2' };
const delivery = { name: 'Delivery', price: '20' };

const asked = async (deps: ApiDeps, sent: Sent) => {
  const { status: code, body } = await post(create(deps), sent);
  expect(code, JSON.stringify(body)).toBe(200);
  return body;
};
const billIn = async (deps: ApiDeps, body: Readonly<Record<string, unknown>>) =>
  deps.bills.find(toBillId(String(body['bill_id'])));
const contactsIn = async ({ table }: ApiDeps) =>
  (await itemsOf(table)).filter(({ PK }) => PK.startsWith('CONTACT#'));

describe('bill/create with a contact of the payer', () => {
  it('answers its masks, as bill/status does, and stores nothing of it in the clear', async () => {
    const deps = await apiDeps();
    const body = await asked(deps, form({ ...order, ...payer }));
    expect(body).toMatchObject(masks);
    expect(body).not.toHaveProperty('ignored');
    const found = await get(status(deps), { query: { id: String(body['bill_id']) } });
    expect(found.body).toMatchObject(masks);
    expect(await contactsIn(deps)).toMatchObject([
      {
        PK: `CONTACT#${String(body['bill_id'])}`,
        SK: 'bill',
        ttl: today.getTime() / 1000 - 0.789 + 365 * 86_400,
      },
    ]);
    expect(JSON.stringify([await itemsOf(deps.table), body, deps.logged])).not.toMatch(
      /ivan|petrov|9123456712/i,
    );
  });

  it('answers no masks without one, and after it was erased', async () => {
    const deps = await apiDeps();
    const [without, withOne] = [
      await asked(deps, form(order)),
      await asked(deps, form({ ...order, ...payer })),
    ];
    const later = { ...deps, contacts: { ...deps.contacts, find: async () => undefined } };
    for (const { bill_id: id } of [without, withOne]) {
      const { body } = await get(status(later), { query: { id: String(id) } });
      expect(Object.keys(body).filter((key) => key.startsWith('payer_'))).toEqual([]);
    }
  });

  it('leaves out what is no e-mail address and no mobile number, and names it', async () => {
    const deps = await apiDeps();
    const one = await asked(deps, form({ ...order, payer_email: 'ivan', payer_phone: payer.payer_phone }));
    expect(one).toMatchObject({ payer_phone: masks.payer_phone, ignored: ['payer_email'] });
    expect(one).not.toHaveProperty('payer_email');
    const none = await asked(
      deps,
      form({ ...order, payer_email: 'ivan', payer_phone: '112', payer_name: 'x\0' }),
    );
    expect(none).toMatchObject({ ignored: ['payer_email', 'payer_phone', 'payer_name'] });
    expect((await billIn(deps, none))?.hasContact).toBe(false);
    expect(await contactsIn(deps)).toHaveLength(1);
  });

  it('is left out of a MULTI bill, which would send the receipts of all its payers there', async () => {
    const deps = await apiDeps();
    const body = await asked(deps, form({ ...order, ...payer, type: 'multi' }));
    expect(body).toMatchObject({ ignored: ['payer_email', 'payer_phone', 'payer_name'] });
    expect((await billIn(deps, body))?.hasContact).toBe(false);
    expect(await contactsIn(deps)).toEqual([]);
  });

  it('is the same request with another contact: the bill keeps its own, and the other is named', async () => {
    const deps = await apiDeps();
    const ask = (more: Readonly<Record<string, string>>) =>
      post(
        create(deps),
        form({ ...order, order_id: 'order-1', ...more }, { headers: { 'Idempotency-Key': 'key-1' } }),
      );
    const [first, again, other, without] = [
      await ask(payer),
      await ask(payer),
      await ask({ payer_email: 'anna@example.ru' }),
      await ask({}),
    ];
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(other).toMatchObject({ status: 200, body: { ...first.body, ignored: ['payer_email'] } });
    expect(without.body).toEqual(first.body);
    expect(await contactsIn(deps)).toHaveLength(1);
  });

  it('is made without it when it cannot be sealed: the log has the kind of the error alone', async () => {
    const deps = await apiDeps();
    const contactSealer = { seal: () => Promise.reject(new TypeError('ivan@example.ru')) };
    const body = await asked({ ...deps, contactSealer }, form({ ...order, ...payer }));
    expect(body).toMatchObject({ ignored: ['payer_email', 'payer_phone', 'payer_name'] });
    const line = { bill: body['bill_id'], error: 'TypeError' };
    expect(deps.logged).toEqual([['error', 'contact_not_sealed', line]]);
  });
});

describe('bill/create with items', () => {
  const stored = [
    { name: 'Tea', priceMinor: 4025n, quantity: '2', category: undefined },
    { name: 'Delivery', priceMinor: 2000n, quantity: '1', category: undefined },
  ];
  const fields = {
    'items[0][name]': 'Tea',
    'items[0][price]': '40.25',
    'items[0][quantity]': '2',
    'items[1][name]': 'Delivery',
    'items[1][price]': '20',
  };

  it.each<[string, Sent]>([
    ['a form array', form({ ...order, ...fields })],
    ['a multipart array', multipart({ ...order, ...fields })],
    [
      'an array that counts from 1',
      form({
        ...order,
        'items[1][name]': 'Tea',
        'items[1][price]': '40.25',
        'items[1][quantity]': '2',
        'items[2][name]': 'Delivery',
        'items[2][price]': '20',
      }),
    ],
    ['a JSON list', json({ ...order, items: [tea, delivery] })],
    ['JSON text in a form', form({ ...order, items: JSON.stringify([tea, delivery]) })],
    ['the query', form(order, { query: fields })],
  ])('stores them, sent as %s', async (_what, sent) => {
    const deps = await apiDeps();
    const body = await asked(deps, sent);
    expect(body).not.toHaveProperty('ignored');
    expect((await billIn(deps, body))?.items).toEqual(stored);
  });

  it('makes another bill for other items, and the same for the same', async () => {
    const deps = await apiDeps();
    const ask = async (items: unknown) =>
      (await asked(deps, json({ ...order, order_id: 'order-1', ...(items !== undefined && { items }) })))[
        'bill_id'
      ];
    const first = await ask([tea, delivery]);
    expect(await ask([tea, { ...delivery, price: '20.00' }])).toBe(first);
    const renamed = await ask([tea, { ...delivery, name: 'Post' }]);
    expect(renamed).not.toBe(first);
    expect(await ask(undefined)).not.toBe(renamed);
  });

  it.each([
    ['its order', {}],
    ['its key', { headers: { 'idempotency-key': 'key-1' } }],
  ])('returns by %s the bill that was created without them, and names them in ignored', async (_by, sent) => {
    const deps = await apiDeps();
    const without = { ...order, order_id: 'order-1' };
    const first = await asked(deps, json(without, sent));
    expect(await asked(deps, json({ ...without, items: [tea, delivery] }, sent))).toMatchObject({
      bill_id: first['bill_id'],
      ignored: ['items'],
    });
  });

  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  it.each<[string, Sent]>([
    ['a name alone', form({ ...order, 'items[0][name]': 'Tea' })],
    ['another sum', json({ ...order, items: [tea] })],
    ['81 items', json({ ...order, items: Array.from({ length: 81 }, () => delivery) })],
    [
      'a hundred names in a form',
      form({
        ...order,
        ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`items[${at}][name]`, 'x'])),
      }),
    ],
    [
      'two thousand keys',
      form({
        ...order,
        ...Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`items[${at}][name]`, 'x'])),
      }),
    ],
    ['a giant name of another price', json({ ...order, items: [{ name: 'x'.repeat(60_000), price: '1' }] })],
    ['a giant price', json({ ...order, items: [{ name: 'Tea', price: '9'.repeat(60_000) }] })],
    ['an exponent beyond all prices', json({ ...order, items: [{ name: 'Tea', price: '1e400' }] })],
    ['items in items', json({ ...order, items: [{ name: 'Tea', price: { amount: 1 } }] })],
    ['a thousand levels', jsonText(`{"amount":"100.50","shop_id":"${shopId}","items":${nested(1000)}}`)],
    ['levels in a form', form({ ...order, [`items${'[a]'.repeat(100)}`]: 'x' })],
    ['a prototype', form({ ...order, 'items[__proto__][name]': 'Tea', 'items[__proto__][price]': '100.50' })],
    ['a prototype in an item', form({ ...order, 'items[0][__proto__][name]': 'Tea' })],
    [
      'a constructor',
      form({ ...order, 'items[constructor][name]': 'Tea', 'items[constructor][price]': '100.50' }),
    ],
    ['unbalanced brackets', form({ ...order, 'items[0': 'Tea', 'items[': 'x', 'items[]]': 'y' })],
    ['two spellings at once', form({ ...order, ...fields, items: JSON.stringify([tea, delivery]) })],
    [
      'a key twice',
      { ...form(order), body: `amount=100.50&shop_id=${shopId}&items[0][name]=a&items[0][name]=b` },
    ],
    ['text', json({ ...order, items: 'Tea' })],
    ['a number', json({ ...order, items: 7 })],
    ['an empty list', json({ ...order, items: [] })],
  ])('leaves them out and makes the bill: %s', async (_what, sent) => {
    const deps = await apiDeps();
    const body = await asked(deps, sent);
    expect(body).toMatchObject({ ignored: ['items'] });
    expect((await billIn(deps, body))?.items).toBeUndefined();
    expect(deps.logged).toEqual([]);
  });

  it.each<[string, Sent]>([
    [
      'a contact given twice',
      { ...form(order), body: `amount=100.50&shop_id=${shopId}&payer_email=a@b.ru&payer_email=c@d.ru` },
    ],
    ['a contact as a JSON list', json({ ...order, payer_email: ['a@b.ru'] })],
    ['a file in place of a contact', aFile('payer_email')],
  ])('leaves out %s and makes the bill', async (_what, sent) => {
    const deps = await apiDeps();
    expect(await asked(deps, sent)).toMatchObject({ ignored: ['payer_email'] });
  });

  it('leaves out a file in place of an item', async () => {
    expect(await asked(await apiDeps(), aFile('items[0][name]'))).toMatchObject({ ignored: ['items'] });
  });

  it.each<[string, Sent]>([
    ['a key given twice', { ...json(undefined), query: { ...order, 'custom[a]': ['1', '2'] } }],
    ['a prototype', form({ ...order, 'custom[__proto__]': '1' })],
    ['keys of over 4096 characters', form({ ...order, 'custom[a]': 'x'.repeat(4096) })],
    ['JSON of over 4096 characters', json({ ...order, custom: { a: 'x'.repeat(4096) } })],
    ['21 levels', form({ ...order, [`custom${'[a]'.repeat(21)}`]: 'x' })],
    ['a text and keys', form({ ...order, custom: 'x', 'custom[a]': '1' })],
    ['a file under a key', aFile('custom[a]')],
  ])('leaves out a custom with %s, and makes the bill', async (_what, sent) => {
    const deps = await apiDeps();
    const body = await asked(deps, sent);
    expect(body).toMatchObject({ ignored: ['custom'] });
    expect((await billIn(deps, body))?.custom).toBeUndefined();
  });

  it('answers a merchant who sends none of these as before', async () => {
    const body = await asked(await apiDeps(), form(order));
    expect(Object.keys(body)).toEqual(['success', 'link_url', 'link_page_url', 'bill_id']);
  });
});

describe('bill/create with options', () => {
  const shop = aShop({ resultUrl: 'https://cafe.example/result', billLifetimeMinutes: 60 });
  const [own, foreign] = ['https://cafe.example/s', 'https://example.com/s'];
  const flat = {
    ttl: '600',
    locale: 'kk',
    payment_method: 'SBP',
    success_url: own,
    fail_url: own,
    return_url: own,
  };
  const options = { ...flat, 'request_fields[email]': '1', 'request_fields[comment]': '1' };
  const ids = async (deps: ApiDeps, ...requests: readonly object[]) => {
    const found: unknown[] = [];
    for (const more of requests)
      found.push((await asked(deps, form({ ...order, order_id: 'order-1', ...more })))['bill_id']);
    return found;
  };

  it.each<[string, Sent]>([
    ['form fields', form({ ...order, ...options })],
    ['multipart', multipart({ ...order, ...options })],
    ['JSON', json({ ...order, ...flat, ttl: 600, request_fields: { email: true, comment: 1 } })],
  ])('stores them, sent as %s', async (_what, sent) => {
    const deps = await apiDeps({ shops: [shop] });
    const body = await asked(deps, sent);
    expect(body).not.toHaveProperty('ignored');
    expect(await billIn(deps, body)).toMatchObject({
      expiresAt: new Date(today.getTime() + 600_000),
      options: {
        ttlSeconds: 600,
        locale: 'kk',
        method: 'sbp',
        successUrl: own,
        failUrl: own,
        returnUrl: own,
        asks: ['email', 'comment'],
      },
    });
  });

  it('ends with the shorter of its ttl and the shop’s lifetime, which bill/status and toggle answer', async () => {
    const deps = await apiDeps({ shops: [shop, aShop({ id: otherShopId })] });
    const ttlOf = async (more: object) => {
      const id = String((await asked(deps, form({ ...order, ...more })))['bill_id']);
      const { body } = await post(toggle(deps), form({ id, active: '1' }));
      const found = await get(status(deps), { query: { id } });
      expect(found.body['ttl']).toBe(body['ttl']);
      return body['ttl'];
    };
    expect(await ttlOf({ ttl: '600' })).toBe(600);
    expect(await ttlOf({ ttl: '7200' })).toBe(3600);
    expect(await ttlOf({})).toBe(3600);
    expect(await ttlOf({ shop_id: otherShopId, ttl: '7200' })).toBe(7200);
    expect(await ttlOf({ shop_id: otherShopId })).toBeUndefined();
  });

  it('makes the bill that modules in the field ask for, and names what was left out', async () => {
    const chargeLimits = { rangesIn: () => undefined, methodsIn: () => ['card'] as const };
    const deps = await apiDeps({ shops: [shop], chargeLimits });
    const sent = { 'items[0][name]': 'Tea', success_url: 'https://example.com/s', payment_method: 'SBP' };
    const body = await asked(deps, form({ ...order, ...sent }));
    expect(body).toMatchObject({ ignored: ['items', 'payment_method', 'success_url'] });
    expect((await billIn(deps, body))?.options).toBeUndefined();
  });

  const hostile = [
    'x',
    '',
    '\0',
    '\ud800',
    '9'.repeat(20_000),
    [],
    ['60'],
    [['60']],
    {},
    { a: { b: 1 } },
    true,
    -1,
  ];
  it.each(optionFields)('makes the bill whatever %s is, and names it', async (field) => {
    const deps = await apiDeps({ shops: [shop] });
    for (const value of hostile) {
      const body = await asked(deps, json({ ...order, [field]: value }));
      const isAbsent = value === '';
      const isNothing = field === 'request_fields' && JSON.stringify(value) === '{}';
      expect(body['ignored'], JSON.stringify(value)).toEqual(isAbsent || isNothing ? undefined : [field]);
    }
    const twice = { ...form(order), body: `amount=1&shop_id=${shopId}&${field}=60&${field}=61` };
    for (const sent of [twice, aFile(field), form({ ...order, [`${field}[x][]`]: 'y', [field]: 'z' })])
      expect(await asked(deps, sent)).toMatchObject({ ignored: [field] });
    expect(deps.logged).toEqual([]);
  });

  it('returns an open bill that an earlier version made for the same request', async () => {
    const deps = await apiDeps({ shops: [shop] });
    const [before] = await ids(deps, {});
    const after = await asked(deps, form({ ...order, order_id: 'order-1', ...options }));
    expect(after).toMatchObject({
      bill_id: before,
      ignored: ['ttl', 'locale', 'payment_method', 'success_url', 'fail_url', 'return_url', 'request_fields'],
    });
  });

  it('returns an open bill after the shop got and lost hosts', async () => {
    const deps = await apiDeps({ shops: [shop] });
    const sent = { ttl: '600', success_url: foreign, fail_url: own };
    const [first] = await ids(deps, sent);
    await deps.shops.set(shopId, { hosts: ['example.com'] });
    expect(await ids(deps, sent)).toEqual([first]);
    await deps.shops.set(shopId, { hosts: undefined, resultUrl: undefined });
    expect(await ids(deps, sent)).toEqual([first]);
    const body = await asked(deps, form({ ...order, order_id: 'order-1', ...sent }));
    expect(body['ignored']).toEqual(['success_url', 'fail_url']);
  });

  it('makes one bill for the same options, and another for others', async () => {
    const deps = await apiDeps({ shops: [shop] });
    const [first, again, other, language] = await ids(
      deps,
      options,
      { ...options, ttl: ' 600' },
      { ...options, ttl: '601' },
      { ...options, ttl: '601', locale: 'ru', payer_email: 'ivan@example.ru' },
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(language).toBe(other);
  });

  it('keeps the first expiry of a bill that is asked for again', async () => {
    const deps = await apiDeps({ shops: [shop] });
    const [first] = await ids(deps, { ttl: '600' });
    const later = { ...deps, now: () => new Date(today.getTime() + 300_000) };
    const again = await asked(later, form({ ...order, order_id: 'order-1', ttl: '600' }));
    expect(again['bill_id']).toBe(first);
    expect((await billIn(deps, again))?.expiresAt).toEqual(new Date(today.getTime() + 600_000));
  });

  it('answers an Idempotency-Key with its bill although the shop has lost its hosts since', async () => {
    const deps = await apiDeps({ shops: [shop] });
    const ask = (more: object) =>
      post(create(deps), form({ ...order, ...more }, { headers: { 'Idempotency-Key': 'key-1' } }));
    const first = await ask({ success_url: own, ttl: '600' });
    await deps.shops.set(shopId, { resultUrl: undefined });
    const again = await ask({ success_url: own, ttl: '600' });
    expect(again).toMatchObject({ status: 200, body: { bill_id: first.body['bill_id'] } });
    expect(await ask({ success_url: own, ttl: '601' })).toMatchObject({ status: 422 });
  });
});

/** The order as multipart, with a file in the named field. */
function aFile(name: string): Sent {
  const sent = multipart({ ...order, [name]: 'x' });
  return { ...sent, body: String(sent.body).replace(`name="${name}"`, `name="${name}"; filename="a.txt"`) };
}
