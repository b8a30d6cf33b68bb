import type { Payment, RefundTotals } from './payment.ts';

const noRefunds: RefundTotals = { reservedMinor: 0n, grossMinor: 0n, feeMinor: 0n, refundedMinor: 0n };

/** Returns what the refunds of a payment take of it. */
export const totalsOf = ({ refunds }: Pick<Payment, 'refunds'>): RefundTotals => refunds ?? noRefunds;

/** Whether a refund of the payment has neither succeeded nor failed. */
export const isRefundOpen = (payment: Pick<Payment, 'refunds'>): boolean => {
  const { reservedMinor, refundedMinor } = totalsOf(payment);
  return reservedMinor > refundedMinor;
};
