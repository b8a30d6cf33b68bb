import { certainMinor, type Chargeback } from '../ledger/chargeback.ts';
import { exchange } from '../money/exchange.ts';
import { largest, type Money, smallest } from '../money/money.ts';
import type { RefundFee } from '../merchant/terms.ts';
import { paymentFee } from '../payment/payment-postings.ts';
import type { Payment, RefundTotals } from '../payment/payment.ts';
import { totalsOf } from '../payment/refund-totals.ts';
import { grossMinor, type Refund } from './refund.ts';

/**
 * Returns what may still be refunded of a paid payment, in the bill's currency: what was received, less the refunds that have not failed and
 * the chargebacks that are known. A surplus counts once it is confirmed. Never below zero.
 */
export function refundableMinor(
  payment: Pick<Payment, 'receivedMinor' | 'refunds'>,
  known: readonly Chargeback[],
): bigint {
  const received = payment.receivedMinor ?? 0n;
  const held = smallest(received, certainMinor(received, known));
  return largest(held - totalsOf(payment).reservedMinor, 0n);
}

type Refunded = Parameters<typeof paymentFee>[0] & Pick<Payment, 'receivedMinor' | 'refunds'>;

/**
 * Returns what a refund of this amount takes from the merchant (`debit`), and how much of the capture's fee it returns. Both are rounded on
 * the running totals of the payment's refunds, so that refunds of everything cost exactly what the capture was settled at. A refund never
 * returns more of the fee than its own part of it, nor than it costs.
 */
export function costOf(
  payment: Refunded,
  amountMinor: bigint,
  refundFee: RefundFee,
): Pick<Refund, 'debit' | 'feeReturnedMinor'> {
  const received = payment.receivedMinor ?? 0n;
  const { currency } = payment.settlement;
  const settle = (minor: bigint) =>
    payment.amount.currency === currency ? minor : exchange(minor, payment.settlement);
  const before = totalsOf(payment);
  const reserved = before.reservedMinor + amountMinor;
  const gross = largest(settle(reserved) - before.grossMinor, 0n);
  const captureFee = settle(received) - settle(received - paymentFee(payment, received));
  const feeReturnedMinor =
    refundFee === 'returned'
      ? smallest(
          largest((captureFee * reserved) / received - before.feeMinor, 0n),
          smallest(mostReturned(captureFee, amountMinor, received), gross),
        )
      : 0n;
  return { debit: { minor: gross - feeReturnedMinor, currency }, feeReturnedMinor };
}

/** A refund's own part of the capture's fee, rounded up: no part that earlier refunds left to the platform, as the terms were then. */
export const mostReturned = (captureFeeMinor: bigint, amountMinor: bigint, receivedMinor: bigint): bigint =>
  (captureFeeMinor * amountMinor + receivedMinor - 1n) / receivedMinor;

type Costed = Pick<Refund, 'debit' | 'feeReturnedMinor'> & { readonly amount: Pick<Money, 'minor'> };

/** Returns the totals of the payment with this refund. */
export const withRefund = (totals: RefundTotals, refund: Costed): RefundTotals => ({
  ...totals,
  reservedMinor: totals.reservedMinor + refund.amount.minor,
  grossMinor: totals.grossMinor + grossMinor(refund),
  feeMinor: totals.feeMinor + refund.feeReturnedMinor,
});

/** Returns the totals of the payment without this refund, which has failed. */
export const withoutRefund = (totals: RefundTotals, refund: Costed): RefundTotals => ({
  ...totals,
  reservedMinor: totals.reservedMinor - refund.amount.minor,
  grossMinor: totals.grossMinor - grossMinor(refund),
  feeMinor: totals.feeMinor - refund.feeReturnedMinor,
});
