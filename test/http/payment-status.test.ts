import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payment-status.ts';
import { toMerchantId } from '../../lib/ids.ts';
import { paymentErrors } from '../../lib/payment/payment-error.ts';
import { apiDeps, paid } from '../support/api-deps.ts';
import { aCaller, get, invalid, json, refusal } from '../support/api-event.ts';
import { aBill, aPayment, billId, paymentId } from '../support/builders.ts';

const shown = {
  success: true,
  id: paymentId,
  bill_id: billId,
  status: 'PROCESS',
  amount: 100.5,
  amount_received: 0,
  from_card: '',
  currency_in: 'RUB',
  created_at: '2026-11-21 12:34:56',
  commission: 0,
  account_amount: 0,
  account_currency_code: 'RUB',
  refunded_amount: 0,
  payment_method: 'BANK_CARD',
};

describe('GET /api/v1/payment/status', () => {
  it('returns a payment in progress', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    expect(await get(create(deps), { query: { id: paymentId } })).toMatchObject({ status: 200, body: shown });
    expect((await get(create(deps), { query: { id: paymentId } })).body).toEqual(shown);
  });

  it('returns what was received and from which card', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId, { receivedMinor: 5_000n });
    expect((await get(create(deps), { query: { id: paymentId } })).body).toEqual({
      ...shown,
      status: 'UNDERPAID',
      amount_received: 50,
      from_card: '411111******1111',
      commission: 1,
      account_amount: 49,
    });
  });

  it('of a bill of 1000 whose payer pays 2 %, shows 1020 charged, a commission of 20 and 1000 credited', async () => {
    const payment = aPayment({
      amount: { minor: 100_000n, currency: 'RUB' },
      surchargeMinor: 2_000n,
      payerPaysCommission: true,
    });
    const deps = await apiDeps({ bills: [aBill({ amount: payment.amount })], payments: [payment] });
    await paid(deps, paymentId);
    expect((await get(create(deps), { query: { id: paymentId } })).body).toMatchObject({
      amount: 1020,
      commission: 20,
      account_amount: 1000,
      account_currency_code: 'RUB',
    });
  });

  it('shows what KZT are worth on the balance at the rate of the payment, its reserve included', async () => {
    const payment = aPayment({
      amount: { minor: 10_050n, currency: 'KZT' },
      settlement: { currency: 'RUB', numerator: 17n, denominator: 100n },
      reserveTerms: { basisPoints: 1000, days: 30 },
      method: 'sbp',
      accountBank: 'Сбербанк',
    });
    const deps = await apiDeps({ bills: [aBill({ amount: payment.amount })], payments: [payment] });
    await paid(deps, paymentId);
    expect((await get(create(deps), { query: { id: paymentId } })).body).toMatchObject({
      currency_in: 'KZT',
      commission: 2.01,
      account_amount: 16.74,
      account_currency_code: 'RUB',
      payment_method: 'SBP',
      account_bank: 'Сбербанк',
    });
  });

  it('shows what was refunded, and not what is only reserved for refunds', async () => {
    const refunds = { reservedMinor: 5_000n, grossMinor: 5_000n, feeMinor: 0n, refundedMinor: 3_025n };
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment({ refunds })] });
    expect((await get(create(deps), { query: { id: paymentId } })).body).toMatchObject({
      refunded_amount: 30.25,
    });
  });

  it.each([
    [{ declineReason: 'insufficient_funds' }, 'insufficient_funds'],
    [{ outcome: 'absent' }, 'expired'],
    [{ outcome: 'voided' }, 'expired'],
    [{ outcome: 'voided', fromCard: '411111******1111' }, 'declined'],
    [{ outcome: 'refused' }, 'declined'],
    [{}, 'declined'],
  ] as const)('says why a payment failed: %j is %s', async (traits, code) => {
    const payments = [aPayment({ status: 'FAIL', phase: 'DONE', ...traits })];
    const deps = await apiDeps({ bills: [aBill()], payments });
    expect((await get(create(deps), { query: { id: paymentId } })).body).toMatchObject({
      status: 'FAIL',
      error_code: code,
      error_message: paymentErrors[code],
      account_amount: 0,
    });
  });

  it('includes the fee that the payer paid in the total', async () => {
    const deps = await apiDeps({
      bills: [aBill()],
      payments: [aPayment({ surchargeMinor: 201n, payerPaysCommission: true })],
    });
    expect((await get(create(deps), { query: { id: paymentId } })).body.amount).toBe(102.51);
  });

  it('accepts its id in a JSON body', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    expect((await get(create(deps), json({ id: paymentId }))).body).toEqual(shown);
  });
});

describe('GET /api/v1/payment/status refuses', () => {
  it.each([
    ['a banned merchant', paymentId, aCaller({ banned: true }), 403, 'merchant_banned'],
    ['a missing payment', `${billId}00NoSuchPa`, aCaller(), 422, 'payment_not_found'],
    ['a bill id', billId, aCaller(), 422, 'payment_not_found'],
    ['an invalid id', 'B#x', aCaller(), 422, 'payment_not_found'],
    [
      "another merchant's payment",
      paymentId,
      aCaller({ merchantId: toMerchantId('AnotherMerchant1') }),
      422,
      'payment_not_found',
    ],
  ])('%s', async (_what, id, caller, status, key) => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    expect(await get(create(deps), { caller, query: { id } })).toMatchObject(refusal(status, key));
  });

  it('no id as invalid data', async () => {
    expect(await get(create(await apiDeps()))).toMatchObject(invalid('id'));
  });
});
