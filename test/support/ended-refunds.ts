import { newRefundId } from '../../lib/ids.ts';
import { sum } from '../../lib/money/money.ts';
import type { RefundTotals } from '../../lib/payment/payment.ts';
import { grossMinor, type Refund } from '../../lib/refund/refund.ts';
import { aPayment, paymentId, today } from './builders.ts';
import { aRefund } from './refunds.ts';

/** The n-th refund of the payment of the builders. */
export const refundIdOf = (number: number) => newRefundId(paymentId, () => `00000${number}`);

/** 30.00 of the payment that went back two minutes after it was asked for; the fee is kept. */
export const aRefundedPart = (traits: Partial<Refund> = {}): Refund =>
  aRefund({
    id: refundIdOf(1),
    status: 'SUCCESS',
    amount: { minor: 3_000n, currency: 'RUB' },
    debit: { minor: 3_000n, currency: 'RUB' },
    acquirer: aPayment().acquirer,
    call: {
      attempt: 1,
      unanswered: 0,
      answer: undefined,
      outcome: undefined,
      amountMinor: undefined,
      firstAt: today,
      lastAt: today,
    },
    endedAt: new Date(today.getTime() + 2 * 60_000),
    nextCheck: undefined,
    ...traits,
  });

/** What a payment says of these refunds; undefined: it has none. */
export function refundTotals(refunds: readonly Refund[]): RefundTotals | undefined {
  if (refunds.length === 0) return undefined;
  const kept = refunds.filter(({ status }) => status !== 'FAIL');
  return {
    reservedMinor: sum(kept.map(({ amount }) => amount.minor)),
    grossMinor: sum(kept.map(grossMinor)),
    feeMinor: sum(kept.map(({ feeReturnedMinor }) => feeReturnedMinor)),
    refundedMinor: sum(kept.filter(({ status }) => status === 'SUCCESS').map(({ amount }) => amount.minor)),
  };
}
