import { describe, expect, it } from 'vitest';
import { anEmulator, days, hours, rub } from '../../support/yookassa-emulator.ts';

async function aPaidEmulator() {
  const emulator = await anEmulator();
  const payment = await emulator.aPayment();
  emulator.payer.byCard(payment);
  return { ...emulator, payment };
}

describe('a refund in the YooKassa emulator', () => {
  it('returns a part, then the rest, and shows in the payment', async () => {
    const { payment, post, get, violations } = await aPaidEmulator();
    const part = await post('/refunds', {
      payment_id: payment,
      amount: rub('400.01'),
      description: 'Returned goods',
      metadata: { refund_id: 'r-1' },
    });
    expect(part).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        payment_id: payment,
        status: 'succeeded',
        amount: rub('400.01'),
        description: 'Returned goods',
        metadata: { refund_id: 'r-1' },
      },
    });
    expect((await get(`/payments/${payment}`)).body).toMatchObject({
      status: 'succeeded',
      refunded_amount: rub('400.01'),
      refundable: true,
    });
    await post('/refunds', { payment_id: payment, amount: rub('599.99') });
    expect((await get(`/payments/${payment}`)).body).toMatchObject({
      refunded_amount: rub('1000.00'),
      refundable: false,
    });
    expect(violations).toEqual([]);
  });

  it('leaves the fee with the provider', async () => {
    const { payment, aRefund, world } = await aPaidEmulator();
    expect(world.state.balance('shop')).toBe(965_00);
    await aRefund({ payment_id: payment, amount: rub('1000.00') });
    expect(world.state.balance('shop')).toBe(-35_00);
  });

  it('is refused above what was not refunded yet, in all that is under way', async () => {
    const { aPayment, payer, post } = await anEmulator();
    const payment = await aPayment({ amount: rub('8000.00') });
    payer.byCard(payment);
    // 7800.30 stays pending for an hour.
    expect((await post('/refunds', { payment_id: payment, amount: rub('7800.30') })).body.status).toBe(
      'pending',
    );
    const tooMuch = await post('/refunds', { payment_id: payment, amount: rub('199.71') });
    expect(tooMuch).toMatchObject({ status: 400, body: { parameter: 'amount.value' } });
    expect((await post('/refunds', { payment_id: payment, amount: rub('199.70') })).status).toBe(200);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['of nothing', { amount: rub('0.00') }, 'amount.value'],
    ['in another currency', { amount: { value: '1.00', currency: 'USD' } }, 'amount.currency'],
    ['without a payment', { payment_id: undefined }, 'payment_id'],
    [
      'of a payment that does not exist',
      { payment_id: '1da5c87d-0984-50e8-a7f3-8de646dd9ec9' },
      'payment_id',
    ],
    ['with a description of 251 characters', { description: 'd'.repeat(251) }, 'description'],
    ['with data of a split payment', { sources: [] }, 'sources'],
  ])('%s is refused', async (_what, change, parameter) => {
    const { payment, post, world } = await aPaidEmulator();
    const body = { payment_id: payment, amount: rub('1.00'), ...change };
    expect(await post('/refunds', body)).toMatchObject({
      status: 400,
      body: { type: 'error', code: 'invalid_request', parameter },
    });
    expect(world.state.refunds.size).toBe(0);
  });

  it('is refused for a payment that did not succeed, and after three years', async () => {
    const { aPayment, payer, post, advance } = await anEmulator();
    const [pending, held, paid] = [await aPayment(), await aPayment({ capture: false }), await aPayment()];
    payer.byCard(held);
    payer.byCard(paid);
    const refusal = { status: 400, body: { parameter: 'payment_id' } };
    for (const payment of [pending, held])
      expect(await post('/refunds', { payment_id: payment, amount: rub('1.00') })).toMatchObject(refusal);
    advance(days(3 * 365 + 1));
    expect(await post('/refunds', { payment_id: paid, amount: rub('1.00') })).toMatchObject(refusal);
  });

  it('of an SBP payment names its operation', async () => {
    const { aPayment, payer, post, violations } = await anEmulator();
    const payment = await aPayment({ payment_method_data: { type: 'sbp' } });
    payer.bySbp(payment);
    expect((await post('/refunds', { payment_id: payment, amount: rub('10.00') })).body).toMatchObject({
      refund_method: { type: 'sbp', sbp_operation_id: expect.stringMatching(/^[0-9A-F]{32}$/) },
    });
    expect(violations).toEqual([]);
  });

  it.each([
    ['7800.31', 'insufficient_funds'],
    ['7800.32', 'general_decline'],
    ['7800.33', 'rejected_by_payee'],
    ['7800.34', 'rejected_by_timeout'],
    ['7800.35', 'yoo_money_account_closed'],
  ])('of %s is canceled with %s, and the money can be refunded again', async (amount, reason) => {
    const { aPayment, payer, post, events, violations } = await anEmulator();
    const payment = await aPayment({ amount: rub('7999.00') });
    payer.byCard(payment);
    expect((await post('/refunds', { payment_id: payment, amount: rub(amount) })).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason },
    });
    expect((await post('/refunds', { payment_id: payment, amount: rub('7999.00') })).body.status).toBe(
      'succeeded',
    );
    expect(events().map(({ event }) => event)).toEqual(['payment.succeeded', 'refund.succeeded']);
    expect(violations).toEqual([]);
  });

  it('may be pending for an hour, and then succeed or be canceled', async () => {
    const { aPayment, payer, aRefund, get, advance } = await anEmulator();
    const payment = await aPayment({ amount: rub('16000.00') });
    payer.byCard(payment);
    const succeeds = await aRefund({ payment_id: payment, amount: rub('7800.30') });
    const rejected = await aRefund({ payment_id: payment, amount: rub('7800.43') });
    advance(hours(1) - 1);
    for (const id of [succeeds, rejected]) expect((await get(`/refunds/${id}`)).body.status).toBe('pending');
    expect((await get(`/payments/${payment}`)).body).toMatchObject({ refunded_amount: rub('0.00') });
    advance(1);
    expect((await get(`/refunds/${succeeds}`)).body.status).toBe('succeeded');
    expect((await get(`/refunds/${rejected}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'refund_network', reason: 'rejected_by_payee' },
    });
    expect((await get(`/payments/${payment}`)).body).toMatchObject({ refunded_amount: rub('7800.30') });
  });

  it('that is pending is canceled when the payment is charged back meanwhile', async () => {
    const { aPayment, payer, aRefund, get, advance, controlUrl, world } = await anEmulator();
    const payment = await aPayment({ amount: rub('8000.00') });
    payer.byCard(payment);
    const refund = await aRefund({ payment_id: payment, amount: rub('7800.30') });
    await fetch(`${controlUrl}/payments/${payment}/charge_back`, { method: 'POST' });
    advance(hours(1));
    expect((await get(`/refunds/${refund}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'general_decline' },
    });
    expect((await get(`/payments/${payment}`)).body).toMatchObject({ refunded_amount: rub('8000.00') });
    expect(world.state.balance('shop')).toBe(-280_00);
  });

  it('is found in the list, by its payment and its status', async () => {
    const { payment, aRefund, aPayment, payer, get } = await aPaidEmulator();
    const other = await aPayment();
    payer.byCard(other);
    const [one, two] = [await aRefund({ payment_id: payment }), await aRefund({ payment_id: payment })];
    await aRefund({ payment_id: other });
    const listed = async (query: string) => (await get(`/refunds?${query}`)).body.items?.map(({ id }) => id);
    expect(await listed(`payment_id=${payment}`)).toEqual([two, one]);
    expect(await listed(`payment_id=${payment}&status=pending`)).toEqual([]);
    expect(await listed('limit=1')).toHaveLength(1);
    expect((await get('/refunds?payment_id=short')).body).toMatchObject({ parameter: 'payment_id' });
  });
});
