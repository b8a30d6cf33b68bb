import { describe, expect, it } from 'vitest';
import type { Payment } from '../../lib/payment/payment.ts';
import { maskCardNumbers } from '../../lib/card-number.ts';
import { paymentEvent } from '../../lib/payment/payment-postback.ts';
import { endpointIdOf, isEventId } from '../../lib/postback/event.ts';
import { refundEvent } from '../../lib/refund/refund-postback.ts';
import { redirectFields } from '../../lib/payment/redirect-fields.ts';
import { aPayment, billId, merchantId, paymentId, shopId } from '../support/builders.ts';
import { aRefund } from '../support/refunds.ts';

const now = new Date('2026-11-21T12:00:00Z');

const paid = (changes: Partial<Payment> = {}): Payment =>
  aPayment({
    status: 'SUCCESS',
    phase: 'DONE',
    receivedMinor: 10_050n,
    feeMinor: 201n,
    orderId: 'order-1',
    ...changes,
  });

describe('the payment postback', () => {
  it('has the contract’s fields in its order', () => {
    const { fields } = paymentEvent(paid({ custom: 'any text' }), { now });
    expect(Object.entries(fields)).toEqual([
      ['InvId', 'order-1'],
      ['OutSum', '100.50'],
      ['Commission', '2.01'],
      ['TrsId', paymentId],
      ['Status', 'SUCCESS'],
      ['CurrencyIn', 'RUB'],
      ['custom', 'any text'],
    ]);
  });

  it('has an empty InvId without order_id, and custom only when it was sent', () => {
    const { fields } = paymentEvent(paid({ orderId: undefined }), { now });
    expect(fields).toMatchObject({ InvId: '' });
    expect(fields).not.toHaveProperty('custom');
    expect(paymentEvent(paid({ custom: '' }), { now }).fields).toMatchObject({ custom: '' });
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
    ['a failed one that was captured and refunded', { status: 'FAIL', receivedMinor: 7n }, '100.50'],
  ])('has for %s the OutSum', (_case, changes, outSum) => {
    expect(paymentEvent(paid(changes), { now }).fields.OutSum).toBe(outSum);
  });

  it('has no commission where none was charged', () => {
    expect(paymentEvent(paid({ status: 'FAIL', feeMinor: undefined }), { now }).fields.Commission).toBe(
      '0.00',
    );
  });

  it('is one per final state, for the shop, due at once', () => {
    expect(paymentEvent(paid(), { now })).toMatchObject({
      id: `pay.${paymentId}.SUCCESS`,
      kind: 'payment',
      merchantId: merchantId,
      shopId: shopId,
      state: 'PENDING',
      tries: 0,
      attempts: [],
      nextAt: now,
    });
  });

  it('of a failed payment is superseded by the success of a NORMAL bill, but not of a MULTI bill', () => {
    const supersededByBill = (changes: Partial<Payment>) =>
      paymentEvent(paid(changes), { now }).supersededByBill;
    expect(supersededByBill({ status: 'FAIL' })).toBe(billId);
    expect(supersededByBill({ status: 'FAIL', billType: 'MULTI' })).toBeUndefined();
    expect(supersededByBill({ status: 'SUCCESS' })).toBeUndefined();
  });
});

describe('the refund postback', () => {
  const ended = aRefund({ status: 'SUCCESS', endedAt: now });

  it('has the family’s fields in its order', () => {
    expect(Object.entries(refundEvent(ended, paid())?.fields ?? {})).toEqual([
      ['Id', ended.id],
      ['PaymentId', paymentId],
      ['BillId', billId],
      ['Amount', '40.00'],
      ['Currency', 'RUB'],
      ['Status', 'SUCCESS'],
    ]);
  });

  it('is one per final state, for the shop’s refund URL, after the payment’s own', () => {
    const event = refundEvent({ ...ended, status: 'FAIL' }, paid({ status: 'OVERPAID' }));
    expect(event).toMatchObject({
      id: `rf.${ended.id}.FAIL`,
      kind: 'refund',
      merchantId,
      shopId,
      sentAfter: `pay.${paymentId}.OVERPAID`,
      status: 'FAIL',
      createdAt: now,
    });
    expect(event && endpointIdOf(event)).toBe(`${shopId}.refund`);
    expect(isEventId(`rf.${ended.id}.FAIL`)).toBe(true);
  });

  it('is none while the refund is open', () => {
    expect(refundEvent(aRefund({ status: 'PROCESS', endedAt: undefined }), paid())).toBeUndefined();
  });
});

describe('the fields of the redirect', () => {
  it('are the contract’s, signed like the postback', () => {
    expect(Object.entries(redirectFields(paid({ custom: 'any text' }), 'pl_test_token'))).toEqual([
      ['InvId', 'order-1'],
      ['OutSum', '100.50'],
      ['CurrencyIn', 'RUB'],
      ['custom', 'any text'],
      ['SignatureValue', '986E6B66B9E75C5CA357A4D344AAFF8D'],
    ]);
  });
});

describe('an order_id and a custom that look like a card number', () => {
  it('are sent to the shop and the payer’s browser unchanged: one in ten numbers of 13 digits does', () => {
    const own = { orderId: '1763760000002', custom: '5555555555554444' };
    const expected = { InvId: own.orderId, custom: own.custom };
    for (const text of Object.values(own)) expect(maskCardNumbers(text)).not.toBe(text);
    expect(paymentEvent(paid(own), { now }).fields).toMatchObject(expected);
    expect(redirectFields(paid(own), 'pl_test_token')).toMatchObject(expected);
  });
});
