import { exchange } from '../money/exchange.ts';
import { feeOutOf } from '../money/fee.ts';
import { type BalanceCurrency, type Money, smallest, sum } from '../money/money.ts';
import { isPaid, type Payment, type Reserve, type ReserveTerms } from './payment.ts';
import type { Account, Entry, Line } from '../ledger/entry.ts';
import { postedFrom, postedSince, type Recomputation } from '../ledger/recomputation.ts';

type Captured = Pick<
  Payment,
  | 'id'
  | 'merchantId'
  | 'amount'
  | 'surchargeMinor'
  | 'payerPaysCommission'
  | 'fee'
  | 'settlement'
  | 'reserveTerms'
>;

/** Returns the fee on what was received, in the payment's minor units: the payer's surcharge, or the merchant's fee. */
export const paymentFee = (payment: Captured, receivedMinor: bigint): bigint =>
  payment.payerPaysCommission
    ? smallest(payment.surchargeMinor, receivedMinor)
    : feeOutOf(receivedMinor, payment.fee);

/** Returns the CAPTURE entry: the acquirer owes what was received to merchant and fees (lib/ledger/README.md). */
export function captureEntry(payment: Captured, receivedMinor: bigint, at: Date): Entry {
  const { id, merchantId, amount, settlement } = payment;
  const same = amount.currency === settlement.currency;
  const settle = (minor: bigint) => (same ? minor : exchange(minor, settlement));
  const settled = settle(receivedMinor);
  // The net amount is exchanged as one, so a merchant who billed 100.00 KZT gets exactly what 100.00 KZT are worth.
  const net = settle(receivedMinor - paymentFee(payment, receivedMinor));
  const reserved = reservedShare(net, payment.reserveTerms);
  const exchanged: readonly Line[] = same
    ? []
    : [line('exchange', amount.currency, receivedMinor), line('exchange', settlement.currency, -settled)];
  const lines = [
    line('acquirer', amount.currency, -receivedMinor),
    ...exchanged,
    line('available', settlement.currency, net - reserved),
    line('reserved', settlement.currency, reserved),
    line('fees', settlement.currency, settled - net),
  ];
  return {
    about: id,
    kind: 'CAPTURE',
    merchantId,
    lines: lines.filter(({ minor }) => minor !== 0n),
    at,
    adjustment: undefined,
  };
}

/** Returns what the capture credited to the merchant's balance, its reserved share included; 0 while nothing is booked. */
export function creditOf(
  payment: Captured & Pick<Payment, 'status' | 'receivedMinor' | 'createdAt'>,
): Money<BalanceCurrency> {
  const { currency } = payment.settlement;
  if (!isPaid(payment)) return { minor: 0n, currency };
  const { lines } = captureEntry(payment, payment.receivedMinor ?? 0n, payment.createdAt);
  const credited = lines.filter(({ account }) => account === 'available' || account === 'reserved');
  return { minor: sum(credited.map(({ minor }) => minor)), currency };
}

export const captureAgain: Recomputation<Payment> = (payment, posted) =>
  isPaid(payment)
    ? captureEntry(payment, payment.receivedMinor ?? 0n, postedSince(posted, payment.createdAt))
    : undefined;

/** Returns the share of the net amount that is reserved, rounded down in favour of what is available. */
const reservedShare = (netMinor: bigint, terms: ReserveTerms | undefined): bigint =>
  (netMinor * BigInt(terms?.basisPoints ?? 0)) / 10_000n;

const dayMs = 24 * 3600_000;

/** Returns when what a capture reserved becomes available. */
const releaseTime = (capturedAt: Date, { days }: ReserveTerms): Date =>
  new Date(capturedAt.getTime() + days * dayMs);

/** Returns what the CAPTURE entry reserves and when it becomes available; undefined when it reserves nothing. */
export function reserveOf(
  { settlement: { currency }, reserveTerms }: Captured,
  { lines, at }: Entry,
): Reserve | undefined {
  const minor = sum(lines.filter(({ account }) => account === 'reserved').map((each) => each.minor));
  if (!reserveTerms || minor === 0n) return undefined;
  return { minor, currency, releaseAt: releaseTime(at, reserveTerms), released: false };
}

/** Returns the RESERVE_RELEASE entry, which makes the payment's reserve available. */
export const reserveReleaseEntry = (
  { id, merchantId }: Pick<Payment, 'id' | 'merchantId'>,
  { minor, currency }: Reserve,
  at: Date,
): Entry => ({
  about: id,
  kind: 'RESERVE_RELEASE',
  merchantId,
  lines: [line('reserved', currency, -minor), line('available', currency, minor)],
  at,
  adjustment: undefined,
});

export const reserveReleaseAgain: Recomputation<Payment> = (payment, posted) =>
  payment.reserve?.released
    ? reserveReleaseEntry(payment, payment.reserve, postedFrom(posted, payment.reserve.releaseAt))
    : undefined;

/** Returns the entry for a duplicate capture or late money: the amount is owed to the payer. */
export const duplicateCaptureEntry = (payment: Captured, receivedMinor: bigint, at: Date): Entry =>
  between('DUPLICATE_CAPTURE', payment, { from: 'acquirer', to: 'refunds_due', minor: receivedMinor, at });

/** Money was received, but the payment is not paid. */
export const duplicateCaptureAgain: Recomputation<Payment> = (payment, posted) =>
  payment.receivedMinor === undefined || isPaid(payment)
    ? undefined
    : duplicateCaptureEntry(payment, payment.receivedMinor, postedSince(posted, payment.createdAt));

/** Returns the REFUND entry, which balances the duplicate capture. */
export const refundEntry = (payment: Captured, receivedMinor: bigint, at: Date): Entry =>
  between('REFUND', payment, { from: 'refunds_due', to: 'acquirer', minor: receivedMinor, at });

/** Money was received, the payment failed, and nothing more is open at the acquirer. */
export const refundAgain: Recomputation<Payment> = (payment, posted) => {
  const { status, phase, receivedMinor, createdAt } = payment;
  return receivedMinor !== undefined && status === 'FAIL' && phase === 'DONE'
    ? refundEntry(payment, receivedMinor, postedSince(posted, createdAt))
    : undefined;
};

/** Returns the entry of the acquirer's fee: it keeps that much of what it owes. The fee is not returned with a refund. */
export const providerFeeEntry = (payment: Captured, feeMinor: bigint, at: Date): Entry =>
  between('PROVIDER_FEE', payment, { from: 'provider_fees', to: 'acquirer', minor: feeMinor, at });

/** A fee of nothing has no entry. */
export const providerFeeAgain: Recomputation<Payment> = (payment, posted) =>
  payment.providerFeeMinor
    ? providerFeeEntry(payment, payment.providerFeeMinor, postedSince(posted, payment.createdAt))
    : undefined;

type Transfer = {
  readonly from: Account;
  readonly to: Account;
  readonly minor: bigint;
  readonly at: Date;
};

const between = (
  kind: Entry['kind'],
  { id, merchantId, amount }: Captured,
  { from, to, minor, at }: Transfer,
): Entry => ({
  about: id,
  kind,
  merchantId,
  lines: [line(from, amount.currency, -minor), line(to, amount.currency, minor)],
  at,
  adjustment: undefined,
});

const line = (account: Account, currency: Line['currency'], minor: bigint): Line => ({
  account,
  currency,
  minor,
});
