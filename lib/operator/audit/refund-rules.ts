import { paymentIdOfRefund } from '../../ids.ts';
import { type Chargeback, expectedMinor } from '../../ledger/chargeback.ts';
import { isBefore } from '../../ledger/recomputation.ts';
import { exchange } from '../../money/exchange.ts';
import { sum, toDecimal } from '../../money/money.ts';
import { isPaid, type Payment, type RefundTotals } from '../../payment/payment.ts';
import { paymentFee } from '../../payment/payment-postings.ts';
import { refundEventId } from '../../postback/event.ts';
import { mostReturned } from '../../refund/refund-amounts.ts';
import { grossMinor, isEndedRefund, type Refund } from '../../refund/refund.ts';
import { fieldDifferences } from './field-differences.ts';
import type { Invariant } from './records.ts';
import { type AnyRule, type Found, mostRefundsListed, type Ref, rule } from './rule.ts';

/** A rule of refunds, judged with the payment. The returned texts follow "refund <id>"; without its payment only that is told. */
const ofRefund = (
  broken: (refund: Refund, payment: Payment, found: Found, now: Date) => readonly string[],
  beside: (refund: Refund) => readonly Ref[] = () => [],
  invariant: Invariant = 'refunds_match_payments',
): AnyRule =>
  rule({
    invariant,
    of: 'refund',
    needs: ({ refund }) => [{ kind: 'payment', id: refund.paymentId }, ...beside(refund)],
    broken: ({ refund }, found, now) => {
      const payment = found.one('payment', refund.paymentId)?.payment;
      return payment ? broken(refund, payment, found, now).map((text) => `refund ${refund.id} ${text}`) : [];
    },
  });

const hasItsPayment = rule({
  invariant: 'refunds_match_payments',
  of: 'refund',
  needs: ({ refund }) => [{ kind: 'payment', id: refund.paymentId }],
  broken: ({ refund: { id, paymentId } }, found) =>
    found.one('payment', paymentId) ? [] : [`refund ${id} is of payment ${paymentId}, which does not exist`],
});

/** What a refund takes from its payment when it is created, and neither ever changes. */
const matchesItsPayment = ofRefund((refund, payment) => {
  const { paymentId, billId, merchantId, shopId, amount, debit, acquirer } = refund;
  const own = {
    paymentId,
    billId,
    merchantId,
    shopId,
    currency: amount.currency,
    debitCurrency: debit.currency,
    acquirer,
  };
  const expected = {
    paymentId: paymentIdOfRefund(refund.id),
    billId: payment.billId,
    merchantId: payment.merchantId,
    shopId: payment.shopId,
    currency: payment.amount.currency,
    debitCurrency: payment.settlement.currency,
    acquirer: payment.acquirer,
  };
  return [
    ...(isPaid(payment) ? [] : [`is of a payment that is ${payment.status}`]),
    ...fieldDifferences(own, expected, 'its payment'),
    ...(isBefore(refund.createdAt, payment.createdAt) ? ['is older than its payment'] : []),
    ...(payment.refunds ? [] : ['is of a payment that knows of no refund']),
  ];
});

/**
 * A refund costs what its amount settles at, and returns no more of the fee than that, nor than its own part of it. The cost is rounded on the running totals of the
 * payment's refunds, so each other refund may shift it by the smallest unit.
 */
const costsItsAmount = ofRefund(
  (refund, payment, found) => {
    const { amount, debit, feeReturnedMinor } = refund;
    const others = refundsOf(found, payment).length;
    const settled = settledMinor(payment, amount.minor);
    const slack = amount.currency === debit.currency ? 0n : BigInt(others);
    const off = grossMinor(refund) - settled;
    const { receivedMinor = 0n } = payment;
    const ownFee = receivedMinor > 0n ? mostReturned(capturedFee(payment), amount.minor, receivedMinor) : 0n;
    return [
      ...(amount.minor > 0n ? [] : [`is of ${toDecimal(amount.minor)}`]),
      ...(debit.minor >= 0n && feeReturnedMinor >= 0n
        ? []
        : [`debits ${toDecimal(debit.minor)} and returns ${toDecimal(feeReturnedMinor)} of the fee`]),
      ...(off <= slack && -off <= slack
        ? []
        : [
            `costs ${toDecimal(grossMinor(refund))}, but ${toDecimal(amount.minor)} settles at ${toDecimal(settled)}`,
          ]),
      ...(feeReturnedMinor <= ownFee
        ? []
        : [`returns ${toDecimal(feeReturnedMinor)} of the fee, of which its part is ${toDecimal(ownFee)}`]),
    ];
  },
  ({ paymentId }) => [{ kind: 'refunds_of', id: paymentId }],
);

const settledMinor = ({ amount, settlement }: Payment, minor: bigint): bigint =>
  amount.currency === settlement.currency ? minor : exchange(minor, settlement);

/** What the capture took as its fee, in the currency of the settlement: no more is ever returned. */
function capturedFee(payment: Payment): bigint {
  const received = payment.receivedMinor ?? 0n;
  return settledMinor(payment, received) - settledMinor(payment, received - paymentFee(payment, received));
}

/** What a status says: whether the acquirer was called, when it ended, and why it failed. */
const isInItsStatus = rule({
  invariant: 'refunds_match_payments',
  of: 'refund',
  needs: () => [],
  broken: ({ refund }) => {
    const { id, status, call, errorCode, createdAt, endedAt, receipt } = refund;
    const isEnded = isEndedRefund(refund);
    return [
      ...((status === 'NEW') === (call === undefined)
        ? []
        : [call ? 'was sent to its acquirer' : 'was never sent to its acquirer']),
      ...((endedAt !== undefined) === isEnded ? [] : [endedAt ? 'has an end' : 'has no end']),
      ...((errorCode !== undefined) === (status === 'FAIL') ? [] : [`has the error ${errorCode ?? 'none'}`]),
      ...(receipt === undefined || status === 'SUCCESS' ? [] : ['has a receipt']),
      ...(endedAt && isBefore(endedAt, createdAt) ? ['ended before it was created'] : []),
    ].map((text) => `refund ${id} is ${status}, but ${text}`);
  },
});

const refundsOf = (found: Found, { id }: Pick<Payment, 'id'>): readonly Refund[] =>
  found
    .all('refunds_of', id)
    .map(({ refund }) => refund)
    .filter(({ paymentId }) => paymentId === id);

/** What the payment says of its refunds is the sum of those that have not failed, and never more than it received and its fee. */
const addsUpItsRefunds = rule({
  invariant: 'refunds_match_payments',
  of: 'payment',
  needs: ({ payment }) => (payment.refunds ? [{ kind: 'refunds_of', id: payment.id }] : []),
  broken: ({ payment }, found) => {
    if (!payment.refunds) return [];
    const refunds = refundsOf(found, payment);
    const sums = refunds.length < mostRefundsListed ? totalOf(refunds) : payment.refunds;
    const { receivedMinor = 0n } = payment;
    const { reservedMinor, feeMinor } = payment.refunds;
    const fee = capturedFee(payment);
    return [
      ...fieldDifferences({ ...payment.refunds }, { ...sums }, 'the sum of its refunds'),
      ...(reservedMinor <= receivedMinor
        ? []
        : [`refunds ${toDecimal(reservedMinor)} of ${toDecimal(receivedMinor)}`]),
      ...(feeMinor <= fee ? [] : [`returns ${toDecimal(feeMinor)} of a fee of ${toDecimal(fee)}`]),
    ].map((text) => `payment ${payment.id} ${text}`);
  },
});

function totalOf(refunds: readonly Refund[]): RefundTotals {
  const kept = refunds.filter(({ status }) => status !== 'FAIL');
  const refunded = refunds.filter(({ status }) => status === 'SUCCESS');
  return {
    reservedMinor: sum(kept.map(({ amount }) => amount.minor)),
    grossMinor: sum(kept.map(grossMinor)),
    feeMinor: sum(kept.map(({ feeReturnedMinor }) => feeReturnedMinor)),
    refundedMinor: sum(refunded.map(({ amount }) => amount.minor)),
  };
}

const itemsBefore = ({ paymentId, number }: Chargeback): readonly Ref[] =>
  Array.from({ length: Math.max(number - 1, 0) }, (_, index) => itemOf(paymentId, index + 1));
const itemOf = (paymentId: string, number: number): Ref => ({
  kind: 'chargeback',
  id: `${paymentId}.chargeback.${number}`,
});
const nextItem = ({ paymentId, number }: Chargeback): Ref => itemOf(paymentId, number + 1);

/**
 * Refunds and chargebacks together never pass what was received; judged with the last item of a payment. A surplus that a person entered
 * may have been expected when a loss was recorded, and counts whatever became of it.
 */
const leavesRoomForRefunds = rule({
  invariant: 'refunds_match_payments',
  of: 'chargeback',
  needs: ({ chargeback }) => [
    { kind: 'payment', id: chargeback.paymentId },
    nextItem(chargeback),
    ...itemsBefore(chargeback),
  ],
  broken: ({ chargeback }, found) => {
    const payment = found.one('payment', chargeback.paymentId)?.payment;
    if (!payment?.refunds || found.one('chargeback', nextItem(chargeback).id)) return [];
    const all = [
      ...itemsBefore(chargeback).flatMap(({ id }) => found.one('chargeback', id)?.chargeback ?? []),
      chargeback,
    ].map((each): Chargeback => (isEnteredSurplus(each) ? { ...each, status: 'CONFIRMED' } : each));
    const held = expectedMinor(payment.receivedMinor ?? 0n, all);
    const { reservedMinor } = payment.refunds;
    return reservedMinor <= held
      ? []
      : [
          `payment ${payment.id} refunds ${toDecimal(reservedMinor)}, but its chargebacks leave ${toDecimal(held)}`,
        ];
  },
});

const isEnteredSurplus = ({ direction, seen }: Chargeback): boolean =>
  direction === 'surplus' && seen === undefined;

/** What an item says that refunds had returned is what those had that ended before it, by whichever of the clocks. */
const knewItsRefunds = rule({
  invariant: 'chargebacks_match_entries',
  of: 'chargeback',
  needs: ({ chargeback: { paymentId, seen } }) =>
    seen?.refundedMinor === undefined
      ? []
      : [
          { kind: 'payment', id: paymentId },
          { kind: 'refunds_of', id: paymentId },
        ],
  broken: ({ chargeback: { id, paymentId, seen, at } }, found) => {
    const payment = found.one('payment', paymentId)?.payment;
    if (!payment || seen?.refundedMinor === undefined) return [];
    const refunds = refundsOf(found, payment).filter(({ status }) => status === 'SUCCESS');
    const least = totalOf(refunds.filter(({ endedAt }) => endedAt && isBefore(endedAt, at))).refundedMinor;
    const most = totalOf(refunds.filter(({ endedAt }) => endedAt && !isBefore(at, endedAt))).refundedMinor;
    return seen.refundedMinor >= least && seen.refundedMinor <= most
      ? []
      : [`chargeback ${id} knew of ${toDecimal(seen.refundedMinor)} refunded, but it was ${toDecimal(most)}`];
  },
});

/** The shortest retention of an event (lib/store/README.md). */
const retentionMs = 90 * 24 * 3600_000;

/** Each refund that ended in the last 90 days has its postback event, where the shop had a refund URL from its creation on. */
const toldItsEnd = ofRefund(
  ({ id, status, shopId, createdAt, endedAt }, _payment, found, now) => {
    const shop = found.one('shop', shopId)?.shop;
    const isOwed =
      endedAt !== undefined &&
      endedAt.getTime() > now.getTime() - retentionMs &&
      shop?.refundUrl !== undefined &&
      shop.refundUrlSince !== undefined &&
      isBefore(shop.refundUrlSince, createdAt);
    const eventId = refundEventId(id, status);
    return isOwed && !found.one('event', eventId) ? [`has no postback ${eventId}`] : [];
  },
  (refund) =>
    isEndedRefund(refund)
      ? [
          { kind: 'shop', id: refund.shopId },
          { kind: 'event', id: refundEventId(refund.id, refund.status) },
        ]
      : [],
  'events_match_states',
);

/** Refunds beside their payment, its chargebacks and their postbacks. */
export const refundRules: readonly AnyRule[] = [
  hasItsPayment,
  matchesItsPayment,
  costsItsAmount,
  isInItsStatus,
  addsUpItsRefunds,
  leavesRoomForRefunds,
  knewItsRefunds,
  toldItsEnd,
];
