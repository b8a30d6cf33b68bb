import { describe, expect, it } from 'vitest';
import type { Payment } from '../../lib/payment/payment.ts';
import { paymentEvent } from '../../lib/postback/payment-postback.ts';
import { redirectFields } from '../../lib/postback/redirect-fields.ts';

const now = new Date('2026-11-21T12:00:00Z');

const aPayment = (changes: Partial<Payment> = {}): Payment => ({
  id: 'bill0000bill000000nonce123',
  billId: 'bill0000bill0000',
  billType: 'NORMAL',
  merchantId: 'm1',
  shopId: 's1',
  status: 'SUCCESS',
  phase: 'DONE',
  amount: { minor: 10_050n, currency: 'RUB' },
  surchargeMinor: 0n,
  payerPaysCommission: false,
  fee: { bps: 200, fixedMinor: 0n, minimumMinor: 0n },
  settlement: { currency: 'RUB', numerator: 1n, denominator: 1n },
  receivedMinor: 10_050n,
  feeMinor: 201n,
  orderId: 'order-1',
  createdAt: now,
  checks: 0,
  ...changes,
});

describe('the payment postback', () => {
  it('has the contract’s fields in its order', () => {
    const { fields } = paymentEvent(aPayment({ custom: 'any text' }), { now });
    expect(Object.entries(fields)).toEqual([
      ['InvId', 'order-1'],
      ['OutSum', '100.50'],
      ['Commission', '2.01'],
      ['TrsId', 'bill0000bill000000nonce123'],
      ['Status', 'SUCCESS'],
      ['CurrencyIn', 'RUB'],
      ['custom', 'any text'],
    ]);
  });

  it('has an empty InvId without order_id, and custom only when it was given', () => {
    const { fields } = paymentEvent(aPayment({ orderId: undefined }), { now });
    expect(fields).toMatchObject({ InvId: '' });
    expect(fields).not.toHaveProperty('custom');
    expect(paymentEvent(aPayment({ custom: '' }), { now }).fields).toMatchObject({ custom: '' });
  });

  it.each<[string, Partial<Payment>, string]>([
    ['an exact payment', {}, '100.50'],
    ['an exact payment with the fee on top', { surchargeMinor: 201n, receivedMinor: 10_251n }, '100.50'],
    ['an underpaid one', { status: 'UNDERPAID', receivedMinor: 5_000n }, '50.00'],
    [
      'one that covers less than the fee on top',
      { status: 'UNDERPAID', surchargeMinor: 201n, receivedMinor: 100n },
      '0.00',
    ],
    ['an overpaid one', { status: 'OVERPAID', receivedMinor: 20_000n }, '200.00'],
    ['a failed one', { status: 'FAIL', receivedMinor: undefined, feeMinor: undefined }, '100.50'],
    ['a failed one that was taken and given back', { status: 'FAIL', receivedMinor: 7n }, '100.50'],
  ])('says of %s OutSum', (_case, changes, outSum) => {
    expect(paymentEvent(aPayment(changes), { now }).fields.OutSum).toBe(outSum);
  });

  it('says no commission where nothing was taken', () => {
    expect(paymentEvent(aPayment({ status: 'FAIL', feeMinor: undefined }), { now }).fields.Commission).toBe(
      '0.00',
    );
  });

  it('is one per final state, owed to the shop, due at once', () => {
    expect(paymentEvent(aPayment(), { now })).toMatchObject({
      id: 'pay.bill0000bill000000nonce123.SUCCESS',
      kind: 'payment',
      merchantId: 'm1',
      shopId: 's1',
      state: 'PENDING',
      tries: 0,
      attempts: [],
      nextAt: now,
    });
  });

  it('of a failed try is superseded by the success of its NORMAL bill, and of no MULTI bill', () => {
    const supersededByBill = (changes: Partial<Payment>) =>
      paymentEvent(aPayment(changes), { now }).supersededByBill;
    expect(supersededByBill({ status: 'FAIL' })).toBe('bill0000bill0000');
    expect(supersededByBill({ status: 'FAIL', billType: 'MULTI' })).toBeUndefined();
    expect(supersededByBill({ status: 'SUCCESS' })).toBeUndefined();
  });
});

describe('the fields of the redirect', () => {
  it('are the contract’s, signed like the postback', () => {
    expect(Object.entries(redirectFields(aPayment({ custom: 'any text' }), 'pl_test_token'))).toEqual([
      ['InvId', 'order-1'],
      ['OutSum', '100.50'],
      ['CurrencyIn', 'RUB'],
      ['custom', 'any text'],
      ['SignatureValue', '986E6B66B9E75C5CA357A4D344AAFF8D'],
    ]);
  });
});
