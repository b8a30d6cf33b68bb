import { totalsOf } from '../../../lib/payment/refund-totals.ts';
import { isEndedRefund } from '../../../lib/refund/refund.ts';
import { type Books, type Lane, receivedMinor, type RefundLane } from './state.ts';

const refundsOf = (lanes: readonly Lane[]): readonly RefundLane[] =>
  lanes.filter((lane) => lane.kind === 'refund');

/** Returns what is wrong; undefined: nothing. `availableMinor`: of the merchant, before the refunds. */
export function violationIn(
  books: Books,
  lanes: readonly Lane[],
  availableMinor: bigint,
): string | undefined {
  const refunds = refundsOf(lanes);
  for (const lane of refunds) {
    const violation = violationOf(lane);
    if (violation !== undefined) return violation;
  }
  return (
    books.fault ?? atAcquirer(books) ?? inPayment(books, refunds) ?? inBalance(books, refunds, availableMinor)
  );
}

function violationOf({ stored, there }: RefundLane): string | undefined {
  const made = Object.values(there).filter(
    (each) => each?.state === 'succeeded' || each?.state === 'pending',
  );
  if (made.length > 1) return 'refunded twice';
  if (stored?.status === 'FAIL' && made.length > 0) return 'a failed refund was carried out';
  if (stored?.status === 'SUCCESS' && made[0]?.state !== 'succeeded')
    return 'a refund succeeded that was not carried out';
  return undefined;
}

const atAcquirer = ({ refundedThere, pendingThere }: Books): string | undefined =>
  refundedThere + pendingThere > receivedMinor
    ? 'more is refunded at the acquirer than was captured'
    : undefined;

const sumOf = (refunds: readonly RefundLane[], minorOf: (refund: RefundLane) => bigint): bigint =>
  refunds.reduce((sum, refund) => sum + minorOf(refund), 0n);

function inPayment(books: Books, refunds: readonly RefundLane[]): string | undefined {
  const { reservedMinor, grossMinor, feeMinor, refundedMinor } = totalsOf({ refunds: books.totals });
  const held = refunds.filter(({ stored }) => stored && stored.status !== 'FAIL');
  const succeeded = held.filter(({ stored }) => stored?.status === 'SUCCESS');
  const heldMinor = sumOf(held, ({ cost }) => cost?.amount.minor ?? 0n);
  const chargebacks = fromChargebacks(books);
  if (typeof chargebacks === 'string') return chargebacks;
  if (heldMinor + chargebacks.lostMinor > receivedMinor + chargebacks.returnedMinor)
    return 'refunds and chargebacks are more than was received';
  const isSum =
    reservedMinor === heldMinor &&
    grossMinor === reservedMinor &&
    feeMinor === sumOf(held, ({ cost }) => cost?.feeReturnedMinor ?? 0n) &&
    refundedMinor === sumOf(succeeded, ({ cost }) => cost?.amount.minor ?? 0n);
  return isSum ? undefined : 'the totals of the payment are not the sums of its refunds';
}

/**
 * What chargebacks took of the payment, and what people confirmed as returned. A letter and the acquirer's view may be about the same money,
 * so beside a letter only what people entered counts.
 */
function fromChargebacks({ chargebacks, wasTakenBack }: Books) {
  const entered = chargebacks.filter(({ seen }) => seen === undefined);
  const isReported = chargebacks.length > 0 && entered.length === 0;
  if (isReported && !wasTakenBack) return 'a chargeback was found that nobody made';
  const counted = isReported ? chargebacks : entered.filter(({ status }) => status !== 'DISMISSED');
  const lost = counted.filter(({ direction }) => direction === 'loss');
  const returned = chargebacks.filter(
    ({ direction, status }) => direction === 'surplus' && status === 'CONFIRMED',
  );
  const minorOf = (items: typeof chargebacks) => items.reduce((sum, { amount }) => sum + amount.minor, 0n);
  return { lostMinor: minorOf(lost), returnedMinor: minorOf(returned) };
}

function inBalance(
  { available, locked, borne }: Books,
  refunds: readonly RefundLane[],
  availableMinor: bigint,
): string | undefined {
  if (available < 0n || locked < 0n) return 'a balance is negative';
  const debits = (which: readonly RefundLane[]) => sumOf(which, ({ cost }) => cost?.debit.minor ?? 0n);
  const open = refunds.filter(({ stored }) => stored && !isEndedRefund(stored));
  if (locked !== debits(open)) return 'locked is not the debits of open refunds';
  const succeeded = refunds.filter(({ stored }) => stored?.status === 'SUCCESS');
  return available !== availableMinor - debits(open) - debits(succeeded) - borne
    ? 'available is not what the refunds and chargebacks left'
    : undefined;
}

/** Whether no refund is open. */
export const isSettled = (_books: Books, lanes: readonly Lane[]): boolean =>
  refundsOf(lanes).every(({ stored }) => stored === undefined || isEndedRefund(stored));
