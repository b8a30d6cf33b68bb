import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../infra/yookassa-emulator/world.ts';
import { anEmulator, aPaymentBody, days, hours, rub } from '../../support/yookassa-emulator.ts';

const item = {
  description: 'A book',
  quantity: 1,
  amount: rub('1000.00'),
  vat_code: 1,
  payment_subject: 'commodity',
  payment_mode: 'full_payment',
};
const receipt = { customer: { email: 'payer@example.com' }, items: [item], internet: true };
const withItem = (change: Readonly<Record<string, unknown>>) => ({
  ...receipt,
  items: [{ ...item, ...change }],
});

const illegal = {
  status: 400,
  body: { code: 'invalid_request', description: 'Receipt is missing or illegal', parameter: 'receipt' },
};

describe('a shop of the YooKassa emulator that sends receipts', () => {
  it.each<readonly [string, unknown]>([
    ['no receipt', undefined],
    ['no contact of the customer', { ...receipt, customer: {} }],
    ['a phone number with a plus', { ...receipt, customer: { phone: '+79000000000' } }],
    ['no items', { ...receipt, items: [] }],
    ['an item without a description', withItem({ description: '' })],
    ['a description of 129 characters', withItem({ description: 'd'.repeat(129) })],
    ['a VAT code of 13', withItem({ vat_code: 13 })],
    ['no VAT code', withItem({ vat_code: undefined })],
    ['a quantity of zero', withItem({ quantity: 0 })],
    ['a subject that does not exist', withItem({ payment_subject: 'thing' })],
    ['a mode that does not exist', withItem({ payment_mode: 'later' })],
    ['a measure that does not exist', withItem({ measure: 'mile' })],
    ['a tax system of 7', { ...receipt, tax_system_code: 7 }],
    ['items of a kopeck less', withItem({ amount: rub('999.99') })],
    ['items that are too many', withItem({ quantity: 2 })],
  ])('refuses a payment with %s', async (_what, value) => {
    const { post, world } = await anEmulator({ receipts: true });
    expect(await post('/payments', { ...aPaymentBody, receipt: value })).toMatchObject(illegal);
    expect(world.state.payments.size).toBe(0);
  });

  it.each<readonly [string, unknown]>([
    ['one item', receipt],
    ['a phone number', { ...receipt, customer: { phone: '79000000000' } }],
    [
      'numbers as texts, as older clients send them',
      withItem({ quantity: '2.00', amount: rub('500.00'), vat_code: '2' }),
    ],
    ['a quantity with places', withItem({ quantity: 2.5, amount: rub('400.00') })],
    ['all tax systems', { ...receipt, tax_system_code: 6 }],
  ])('takes a payment with %s', async (_what, value) => {
    const { post, payer, get, violations } = await anEmulator({ receipts: true });
    const { body } = await post('/payments', { ...aPaymentBody, receipt: value });
    expect(body).toMatchObject({ status: 'pending', receipt_registration: 'pending' });
    payer.byCard(body.id ?? '');
    expect((await get(`/payments/${body.id}`)).body).toMatchObject({ receipt_registration: 'succeeded' });
    expect(violations).toEqual([]);
  });

  it('refuses a partial refund without a receipt, and a partial capture', async () => {
    const { aPayment, payer, post } = await anEmulator({ receipts: true });
    const paid = await aPayment({ receipt });
    payer.byCard(paid);
    const part = rub('400.00');
    expect(await post('/refunds', { payment_id: paid, amount: part })).toMatchObject(illegal);
    const partly = withItem({ amount: part });
    expect((await post('/refunds', { payment_id: paid, amount: part, receipt: partly })).status).toBe(200);

    const whole = await aPayment({ receipt });
    payer.byCard(whole);
    const { status, body } = await post('/refunds', { payment_id: whole, amount: rub('1000.00') });
    expect([status, body['receipt_registration']]).toEqual([200, 'succeeded']);

    const held = await aPayment({ receipt, capture: false });
    payer.byCard(held);
    expect(await post(`/payments/${held}/capture`, { amount: part })).toMatchObject(illegal);
    expect((await post(`/payments/${held}/capture`, { amount: part, receipt: partly })).status).toBe(200);
  });

  it.each([
    ['7700.26', '7800.51', 'succeeded'],
    ['7700.27', '7800.52', 'canceled'],
  ])('registers the receipts of %s and of a refund of %s an hour later: %s', async (paid, back, state) => {
    const { aPayment, payer, get, post, advance } = await anEmulator({ receipts: true });
    const receiptOf = (amount: string) => withItem({ amount: rub(amount) });
    const payment = await aPayment({ amount: rub(paid), receipt: receiptOf(paid) });
    const large = await aPayment({ amount: rub('9000.00'), receipt: receiptOf('9000.00') });
    payer.byCard(payment);
    payer.byCard(large);
    const body = { payment_id: large, amount: rub(back), receipt: receiptOf(back) };
    const refund = (await post('/refunds', body)).body.id;
    const registrations = async () => [
      (await get(`/payments/${payment}`)).body,
      (await get(`/refunds/${refund}`)).body,
    ];
    const both = (receipt_registration: string) =>
      [1, 2].map(() => expect.objectContaining({ status: 'succeeded', receipt_registration }));
    advance(hours(1) - 1);
    expect(await registrations()).toEqual(both('pending'));
    advance(1);
    expect(await registrations()).toEqual(both(state));
  });

  it('leaves the receipts of 7700.28 pending, until a person says what became of it', async () => {
    const { aPayment, payer, get, advance, controlUrl, violations } = await anEmulator({ receipts: true });
    const amount = rub('7700.28');
    const payment = await aPayment({ amount, receipt: withItem({ amount }) });
    const say = async (state: string) =>
      (
        await fetch(`${controlUrl}/payments/${payment}/register_receipt`, {
          method: 'POST',
          body: JSON.stringify({ state }),
        })
      ).status;
    expect(await say('canceled')).toBe(409);
    payer.byCard(payment);
    advance(days(30));
    const registration = async () => (await get(`/payments/${payment}`)).body;
    expect(await registration()).toMatchObject({ receipt_registration: 'pending' });
    for (const state of ['canceled', 'succeeded']) {
      expect(await say(state)).toBe(200);
      expect(await registration()).toMatchObject({ receipt_registration: state });
    }
    expect(violations).toEqual([]);
  });

  it('says so to the shop', async () => {
    const { get } = await anEmulator({ receipts: true });
    expect((await get('/me')).body).toMatchObject({ fiscalization: { enabled: true } });
  });
});

describe('a shop of the YooKassa emulator with receipts of YooKassa itself', () => {
  const legal = withItem({ measure: 'piece' });
  async function withOwnReceipts() {
    const emulator = await anEmulator({ receipts: true });
    changeSettings(emulator.world, { ownReceipts: true });
    return emulator;
  }

  it.each<readonly [string, unknown]>([
    ['a phone number alone', { ...legal, customer: { phone: '79000000000' } }],
    ['an item without a measure', receipt],
    [
      '81 items',
      {
        ...legal,
        items: Array.from({ length: 81 }, (_, place) => ({
          ...item,
          measure: 'piece',
          amount: rub(place === 0 ? '992.00' : '0.10'),
        })),
      },
    ],
  ])('refuses a payment with %s', async (_what, value) => {
    const { post } = await withOwnReceipts();
    expect(await post('/payments', { ...aPaymentBody, receipt: value })).toMatchObject(illegal);
  });

  it('takes one with an e-mail address and a measure, and says whose they are', async () => {
    const { post, get } = await withOwnReceipts();
    expect((await post('/payments', { ...aPaymentBody, receipt: legal })).status).toBe(200);
    expect((await get('/me')).body).toMatchObject({ fiscalization: { enabled: true, provider: 'avanpost' } });
  });
});

describe('a shop of the YooKassa emulator without receipts', () => {
  it('ignores their data', async () => {
    const { post } = await anEmulator();
    const { status, body } = await post('/payments', { ...aPaymentBody, receipt: { items: 'none' } });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('receipt_registration');
  });
});
