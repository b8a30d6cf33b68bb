import { billIdOf } from '../../ids.ts';
import { isBefore } from '../../ledger/recomputation.ts';
import { feeOn } from '../../money/fee.ts';
import { isBalanceCurrency, toDecimal } from '../../money/money.ts';
import {
  chargeMinor,
  isFinalPayment,
  isPaid,
  type Payment,
  type PaymentPhase,
  type PaymentStatus,
  type Reserve,
  statusOfReceipt,
} from '../../payment/payment.ts';
import { captureAgain, paymentFee, reserveOf } from '../../payment/payment-postings.ts';
import { paymentEventId } from '../../postback/event.ts';
import { fieldDifferences } from './field-differences.ts';
import type { Invariant } from './records.ts';
import { type AnyRule, rule } from './rule.ts';

/** A rule that a payment alone decides. The returned texts follow "payment <id>". */
const ofPayment = (
  broken: (payment: Payment, now: Date) => readonly string[],
  invariant: Invariant = 'payments_match_states',
): AnyRule =>
  rule({
    invariant,
    of: 'payment',
    needs: () => [],
    broken: ({ payment }, _found, now) => broken(payment, now).map((text) => `payment ${payment.id} ${text}`),
  });

/** The phases of each status. A failed payment may still wait for its void or its refund. */
const phasesOf: Readonly<Record<PaymentStatus, readonly PaymentPhase[]>> = {
  PROCESS: ['AUTHORIZING', 'CAPTURING', 'VOIDING', 'REFUNDING'],
  SUCCESS: ['DONE'],
  UNDERPAID: ['DONE'],
  OVERPAID: ['DONE'],
  FAIL: ['VOIDING', 'REFUNDING', 'DONE'],
};

const hasPhaseOfStatus = ofPayment(({ status, phase }) =>
  phasesOf[status].includes(phase) ? [] : [`is ${status}, which is never ${phase}`],
);

const hasIdOfBill = ofPayment(({ id, billId }) =>
  billIdOf(id) === billId ? [] : [`is of bill ${billId}, but its id is of ${billIdOf(id)}`],
);

const received = ({ receivedMinor }: Payment): string =>
  receivedMinor === undefined ? 'nothing' : toDecimal(receivedMinor);

/** A paid payment has received what its status says; money that is refunded was received as well. */
const receivedWhatItsStatusSays = ofPayment((payment) => {
  const { status, phase, receivedMinor } = payment;
  const charge = chargeMinor(payment);
  if (isPaid(payment))
    return receivedMinor !== undefined && statusOfReceipt(receivedMinor, charge) === status
      ? []
      : [`is ${status}, but received ${received(payment)} of ${toDecimal(charge)}`];
  const mayHave = phase === 'REFUNDING' || (status === 'FAIL' && phase === 'DONE');
  const must = phase === 'REFUNDING';
  const isWrong = receivedMinor === undefined ? must : !mayHave;
  return isWrong ? [`is ${status}/${phase}, but received ${received(payment)}`] : [];
});

const text = (minor: bigint | undefined): string => (minor === undefined ? 'none' : toDecimal(minor));

/** The fee on what was received; none was taken of what is not paid. */
const tookItsFee = ofPayment((payment) => {
  const { receivedMinor, feeMinor } = payment;
  const due = isPaid(payment) && receivedMinor !== undefined ? paymentFee(payment, receivedMinor) : undefined;
  return feeMinor === due ? [] : [`has a fee of ${text(feeMinor)}, but its terms say ${text(due)}`];
});

const chargedItsFee = ofPayment(({ payerPaysCommission, amount, fee, surchargeMinor }) => {
  const due = payerPaysCommission ? feeOn(amount.minor, fee) : 0n;
  return surchargeMinor === due
    ? []
    : [`charged its payer a fee of ${toDecimal(surchargeMinor)}, but its terms say ${toDecimal(due)}`];
});

/** Money of a balance currency settles as it is. */
const settlesAtItsRate = ofPayment(({ amount: { currency }, settlement }) =>
  !isBalanceCurrency(currency) ||
  (settlement.currency === currency && settlement.numerator === settlement.denominator)
    ? []
    : [
        `of ${currency} settles in ${settlement.currency} at ${settlement.numerator}/${settlement.denominator}`,
      ],
);

/** What people see of a refusal is written with the failure alone. */
const hasNoRefusal = ofPayment((payment) => {
  const { status, outcome, declineReason } = payment;
  const refusal = declineReason ?? outcome;
  return isPaid(payment) && refusal !== undefined ? [`is ${status}, but was refused: ${refusal}`] : [];
});

const costNothingBelowZero = ofPayment(
  ({ providerFeeMinor = 0n }) =>
    providerFeeMinor < 0n ? [`cost a fee of ${toDecimal(providerFeeMinor)}`] : [],
  'provider_fees_match_payments',
);

const reserveText = (reserve: Reserve | undefined): string =>
  reserve
    ? `${toDecimal(reserve.minor)} ${reserve.currency} until ${reserve.releaseAt.toISOString()}`
    : 'nothing';

/** The reserve is what the payment's terms say of its CAPTURE entry. */
const reservesByItsTerms = rule({
  invariant: 'reserve_matches_payments',
  of: 'payment',
  needs: ({ payment }) =>
    isPaid(payment) && payment.reserveTerms ? [{ kind: 'entry', id: `${payment.id} CAPTURE` }] : [],
  broken: ({ payment }, found) => {
    const { id, reserve } = payment;
    const posted = found.one('entry', `${id} CAPTURE`)?.entry;
    const capture = posted && captureAgain(payment, posted);
    // Without its entry there is no time to count from; that it is missing is told already.
    if (isPaid(payment) && payment.reserveTerms && !capture) return [];
    const agreed = capture && reserveOf(payment, capture);
    return reserveText(reserve) === reserveText(agreed)
      ? []
      : [`payment ${id} reserves ${reserveText(reserve)}, but its terms say ${reserveText(agreed)}`];
  },
});

/** The sweep releases within minutes, and after an interruption of days: a reserve that waits longer is stuck. */
const graceMs = 7 * 24 * 3600_000;

const releasesItsReserve = ofPayment(
  ({ reserve }, now) =>
    reserve && !reserve.released && reserve.releaseAt.getTime() + graceMs < now.getTime()
      ? [
          `has not released its reserve of ${toDecimal(reserve.minor)}, due on ${reserve.releaseAt.toISOString()}`,
        ]
      : [],
  'reserve_matches_payments',
);

/** What a payment takes from its bill when it starts, and neither ever changes. */
const matchesItsBill = rule({
  invariant: 'payments_match_bills',
  of: 'payment',
  needs: ({ payment }) => [{ kind: 'bill', id: payment.billId }],
  broken: ({ payment }, found) => {
    const bill = found.one('bill', payment.billId)?.bill;
    if (!bill) return [`payment ${payment.id} is of bill ${payment.billId}, which does not exist`];
    const { merchantId, shopId, amount, payerPaysCommission, orderId, custom, type: billType } = bill;
    const fixed = { merchantId, shopId, billType, ...amount, payerPaysCommission, orderId, custom };
    const own = {
      merchantId: payment.merchantId,
      shopId: payment.shopId,
      billType: payment.billType,
      ...payment.amount,
      payerPaysCommission: payment.payerPaysCommission,
      orderId: payment.orderId,
      custom: payment.custom,
    };
    const early = isBefore(payment.createdAt, bill.createdAt) ? ['is older than its bill'] : [];
    return [...fieldDifferences(own, fixed, 'its bill'), ...early].map(
      (each) => `payment ${payment.id} ${each}`,
    );
  },
});

/** A MULTI bill that was paid says so. */
const showsOnItsMultiBill = rule({
  invariant: 'bills_match_payments',
  of: 'payment',
  needs: ({ payment }) =>
    payment.billType === 'MULTI' && isPaid(payment) ? [{ kind: 'bill', id: payment.billId }] : [],
  broken: ({ payment }, found) =>
    payment.billType === 'MULTI' &&
    isPaid(payment) &&
    found.one('bill', payment.billId)?.bill.status === 'NEW'
      ? [`bill ${payment.billId} is NEW, but its payment ${payment.id} is ${payment.status}`]
      : [],
});

/** The shortest retention of an event. A payment's delivered event is retained twice as long. */
const retentionMs = 90 * 24 * 3600_000;

/** Each outcome of the last 90 days has its postback event, where the shop had a Result URL from the start on. */
const toldItsOutcome = rule({
  invariant: 'events_match_states',
  of: 'payment',
  needs: ({ payment }) =>
    isFinalPayment(payment)
      ? [
          { kind: 'shop', id: payment.shopId },
          { kind: 'event', id: paymentEventId(payment.id, payment.status) },
        ]
      : [],
  broken: ({ payment }, found, now) => {
    const { id, status, shopId, createdAt } = payment;
    const shop = found.one('shop', shopId)?.shop;
    const isOwed =
      isFinalPayment(payment) &&
      shop?.resultUrl !== undefined &&
      shop.resultUrlSince !== undefined &&
      isBefore(shop.resultUrlSince, createdAt) &&
      createdAt.getTime() > now.getTime() - retentionMs;
    const eventId = paymentEventId(id, status);
    return isOwed && !found.one('event', eventId) ? [`postback ${eventId} is missing`] : [];
  },
});

export const paymentRules: readonly AnyRule[] = [
  hasPhaseOfStatus,
  hasIdOfBill,
  receivedWhatItsStatusSays,
  tookItsFee,
  chargedItsFee,
  settlesAtItsRate,
  hasNoRefusal,
  costNothingBelowZero,
  reservesByItsTerms,
  releasesItsReserve,
  matchesItsBill,
  showsOnItsMultiBill,
  toldItsOutcome,
];
