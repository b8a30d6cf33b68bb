import { describe, expect, it } from 'vitest';
import { testCards, type RefusalReason, type TestCard } from '../../../infra/yookassa-emulator/test-cards.ts';
import { anEmulator, aPaymentBody, days, hours, rub } from '../../support/yookassa-emulator.ts';

describe('a payment in the YooKassa emulator', () => {
  it('is created pending, with the address of its hosted page', async () => {
    const { post, pagesUrl, apiUrl, shopId } = await anEmulator();
    const { status, body } = await post('/payments', {
      ...aPaymentBody,
      description: 'Order 72',
      metadata: { payment_id: 'p-1' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'pending',
      amount: rub('1000.00'),
      description: 'Order 72',
      metadata: { payment_id: 'p-1' },
      recipient: { account_id: shopId },
      confirmation: { type: 'redirect', confirmation_url: expect.stringContaining(`${pagesUrl}/checkout/`) },
      paid: false,
      refundable: false,
      test: true,
    });
    expect(new URL(apiUrl).origin).not.toBe(new URL(pagesUrl).origin);
  });

  it('succeeds at once when one step was asked for', async () => {
    const { aPayment, payer, get, violations } = await anEmulator();
    const id = await aPayment();
    payer.byCard(id);
    const { body } = await get(`/payments/${id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      paid: true,
      refundable: true,
      amount: rub('1000.00'),
      income_amount: rub('965.00'),
      refunded_amount: rub('0.00'),
      payment_method: { type: 'bank_card', saved: false, card: { first6: '555555', last4: '4444' } },
      authorization_details: { three_d_secure: { applied: false } },
    });
    expect(body).toHaveProperty('captured_at');
    expect(body).not.toHaveProperty('confirmation');
    expect(violations).toEqual([]);
  });

  it('is held in two steps, and captured in part', async () => {
    const { aPayment, payer, get, post } = await anEmulator();
    const id = await aPayment({ capture: false });
    payer.byCard(id);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'waiting_for_capture',
      paid: true,
      expires_at: expect.any(String),
    });
    const captured = await post(`/payments/${id}/capture`, { amount: rub('400.00') });
    expect(captured).toMatchObject({
      status: 200,
      body: { status: 'succeeded', amount: rub('400.00'), income_amount: rub('386.00') },
    });
  });

  it('is canceled by the merchant while it is held', async () => {
    const { aPayment, payer, post } = await anEmulator();
    const id = await aPayment({ capture: false });
    payer.byCard(id);
    expect((await post(`/payments/${id}/cancel`)).body).toMatchObject({
      status: 'canceled',
      paid: false,
      cancellation_details: { party: 'merchant', reason: 'canceled_by_merchant' },
    });
  });

  it('waits for the 3-D Secure code of the cards that ask for one', async () => {
    const { aPayment, payer, get } = await anEmulator();
    const [confirmed, refused] = [await aPayment(), await aPayment()];
    for (const id of [confirmed, refused]) {
      expect(payer.byCard(id, '5555555555554477').kind).toBe('challenge');
      expect((await get(`/payments/${id}`)).body.status).toBe('pending');
    }
    payer.confirms(confirmed);
    payer.confirms(refused, false);
    expect((await get(`/payments/${confirmed}`)).body).toMatchObject({
      status: 'succeeded',
      authorization_details: { three_d_secure: { applied: true } },
    });
    expect((await get(`/payments/${refused}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: '3d_secure_failed' },
    });
  });

  it.each(testCards.filter(({ outcome }) => outcome.kind === 'paid'))(
    'is paid by the test card $number',
    async ({ number, outcome }: TestCard) => {
      const { aPayment, payer, get } = await anEmulator();
      const id = await aPayment();
      payer.byCard(id, number);
      if (outcome.kind === 'paid' && outcome.threeDSecure) payer.confirms(id);
      expect((await get(`/payments/${id}`)).body.status).toBe('succeeded');
    },
  );

  it.each<readonly [string, RefusalReason]>([
    ['5555555555554592', '3d_secure_failed'],
    ['5555555555554535', 'call_issuer'],
    ['5555555555554543', 'card_expired'],
    ['5555555555554568', 'fraud_suspected'],
    ['5555555555554527', 'general_decline'],
    ['5555555555554600', 'insufficient_funds'],
    ['5555555555554618', 'invalid_card_number'],
    ['5555555555554626', 'invalid_csc'],
    ['5555555555554501', 'issuer_unavailable'],
    ['5555555555554576', 'payment_method_limit_exceeded'],
    ['5555555555554550', 'payment_method_restricted'],
    ['5555555555554584', 'country_forbidden'],
  ])('is canceled at once by the test card %s with %s', async (number, reason) => {
    const { aPayment, payer, get, violations } = await anEmulator();
    const id = await aPayment();
    payer.byCard(id, number);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'canceled',
      paid: false,
      cancellation_details: { reason },
    });
    expect(violations).toEqual([]);
  });

  it('is declined with a number that is no test card, and above the limit of cards', async () => {
    const { aPayment, payer, get } = await anEmulator();
    const [invalid, large] = [await aPayment(), await aPayment({ amount: rub('350000.01') })];
    payer.byCard(invalid, '4276380000000005');
    payer.byCard(large);
    const reasonOf = async (id: string) => (await get(`/payments/${id}`)).body['cancellation_details'];
    expect(await reasonOf(invalid)).toMatchObject({ reason: 'invalid_card_number' });
    expect(await reasonOf(large)).toMatchObject({ reason: 'payment_method_limit_exceeded' });
    const bySbp = await aPayment({ amount: rub('350000.01') });
    payer.bySbp(bySbp);
    expect((await get(`/payments/${bySbp}`)).body.status).toBe('succeeded');
  });

  it('is paid through SBP in one step, also when the payer chooses it on the page', async () => {
    const { aPayment, payer, get, violations } = await anEmulator();
    const chosen = await aPayment();
    expect(payer.mayChoose(chosen)).toEqual(['bank_card', 'sbp']);
    expect(payer.chooses(chosen).kind).toBe('bank');
    payer.bySbp(chosen);
    expect((await get(`/payments/${chosen}`)).body.status).toBe('succeeded');

    const id = await aPayment({ payment_method_data: { type: 'sbp' } });
    payer.bySbp(id);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      payment_method: {
        type: 'sbp',
        sbp_operation_id: expect.stringMatching(/^[0-9A-F]{32}$/),
        payer_bank_details: { bank_id: '100000000111' },
      },
    });
    expect(violations).toEqual([]);
  });

  it('cannot be paid through SBP in two steps, nor by a method that was not asked for', async () => {
    const { aPayment, payer } = await anEmulator();
    expect(payer.bySbp(await aPayment({ capture: false })).kind).toBe('not_possible');
    expect(payer.byCard(await aPayment({ payment_method_data: { type: 'sbp' } })).kind).toBe('not_possible');
  });

  it('expires an hour after its creation when nobody pays', async () => {
    const { aPayment, payer, get, advance } = await anEmulator();
    const id = await aPayment();
    advance(hours(1) - 1);
    expect((await get(`/payments/${id}`)).body.status).toBe('pending');
    advance(1);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'yoo_money', reason: 'expired_on_confirmation' },
    });
    expect(payer.byCard(id).kind).toBe('not_possible');
  });

  it('is released seven days after its authorization when nobody captures', async () => {
    const { aPayment, payer, get, advance } = await anEmulator();
    const id = await aPayment({ capture: false });
    payer.byCard(id);
    advance(days(7) - 1);
    expect((await get(`/payments/${id}`)).body.status).toBe('waiting_for_capture');
    advance(1);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'yoo_money', reason: 'expired_on_capture' },
    });
  });

  it.each([
    ['an hour later', '7700.29', rub('7430.78')],
    ['never', '7700.30', undefined],
  ])('tells what the shop gets %s for %s', async (_when, amount, income) => {
    const { aPayment, payer, get, advance, violations } = await anEmulator();
    const id = await aPayment({ amount: rub(amount) });
    payer.byCard(id);
    advance(hours(1) - 1);
    expect((await get(`/payments/${id}`)).body).not.toHaveProperty('income_amount');
    advance(1);
    expect((await get(`/payments/${id}`)).body['income_amount']).toEqual(income);
    expect(violations).toEqual([]);
  });

  it('tells of each change that the vendor notifies about, and of nothing else', async () => {
    const { aPayment, payer, post, events } = await anEmulator();
    const [paid, held] = [await aPayment(), await aPayment({ capture: false })];
    payer.byCard(paid);
    payer.byCard(held);
    await post(`/payments/${held}/cancel`);
    expect(events()).toEqual([
      { event: 'payment.succeeded', id: paid },
      { event: 'payment.waiting_for_capture', id: held },
      { event: 'payment.canceled', id: held },
    ]);
  });

  it('is there after a restart, with its clock, its deadline and the keys', async () => {
    const first = await anEmulator();
    const id = await first.aPayment({ capture: false });
    first.advance(hours(0.5));
    await first.stop();
    const second = await anEmulator({ folder: first.folder });
    expect((await second.get(`/payments/${id}`)).body.status).toBe('pending');
    second.advance(hours(0.5));
    expect((await second.get(`/payments/${id}`)).body.status).toBe('canceled');
    expect(second.secretKey).toBe(first.secretKey);
  });
});
