import { describe, expect, it } from 'vitest';
import type { Payment } from '../../lib/payment/payment.ts';
import { maskCardNumbers } from '../../lib/card-number.ts';
import { paymentEvent } from '../../lib/payment/payment-postback.ts';
import { endpointIdOf, isEventId } from '../../lib/postback/event.ts';
import { refundEvent } from '../../lib/refund/refund-postback.ts';
import { redact } from '../../lib/postback/redact.ts';
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

describe('an extended payment postback', () => {
  const extended = (changes: Partial<Payment> = {}) => paymentEvent(paid(changes), { now, extended: true });

  it('has the contract’s fields unchanged, and tells account and balance apart from them', () => {
    const { fields, extended: more } = extended({ fromCard: '411111******1111' });
    expect(fields).toEqual(paymentEvent(paid(), { now }).fields);
    expect(Object.entries(more ?? {})).toEqual([
      ['AccountType', 'BANK_CARD'],
      ['AccountNumber', '411111******1111'],
      ['BalanceAmount', '98.49'],
      ['BalanceCurrency', 'RUB'],
    ]);
  });

  it('says why a payment failed, and has no account number of SBP', () => {
    const failed = { status: 'FAIL', receivedMinor: undefined, feeMinor: undefined } as const;
    expect(extended({ ...failed, method: 'sbp', declineReason: 'canceled_by_payer' }).extended).toEqual({
      AccountType: 'SBP',
      BalanceAmount: '0.00',
      BalanceCurrency: 'RUB',
      ErrorCode: 'canceled_by_payer',
      ErrorMessage: 'The payer canceled the payment.',
    });
  });

  it('is made only when asked for', () => {
    expect(paymentEvent(paid(), { now }).extended).toBeUndefined();
  });
});

describe('what of a request is not stored with its answer', () => {
  const name = 'Иван "Ваня" О’Коннор/Петров';
  const comment = 'Call first,\nthen ring <twice>';
  const echoes: readonly (readonly [string, string])[] = [
    ['as it is', `${name} ${comment}`],
    ['in a form', new URLSearchParams({ name, comment }).toString()],
    ['in a form, in lower case', new URLSearchParams({ name, comment }).toString().toLowerCase()],
    ['in a URL', `${encodeURIComponent(name)} ${encodeURIComponent(comment)}`],
    ['in JSON', JSON.stringify({ name, comment })],
    ['in JSON of a JSON body', JSON.stringify([JSON.stringify({ name, comment })])],
    ['in JSON in ASCII', asciiJson({ name, comment })],
    ['in HTML', `${html(name)} ${html(comment)}`],
  ];
  it.each(echoes)('is the payer’s name and comment %s', (_case, echo) => {
    const kept = redact(`got ${echo}`, [name, comment]);
    expect(kept).toMatch(/^got /);
    expect(kept.match(/\[not kept\]/g)).toHaveLength(2);
    for (const part of ['Ваня', 'Call first', 'twice', 'u0412', '%D0', '%d0'])
      expect(kept).not.toContain(part);
  });

  it('is a text that the end of the answer cuts off', () => {
    expect(redact('got ivan@exam', ['ivan@example.ru'])).toBe('got [not kept]');
    expect(redact('got email=ivan%40ex', ['ivan@example.ru'])).toBe('got email=[not kept]');
    expect(redact('It is fine', ['nevermind'])).toBe('It is fine');
  });
});

const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** As PHP writes it. */
const asciiJson = (value: object) =>
  JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^ -~]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
