import { readPaymentId } from '../ids.ts';
import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { toDecimal } from '../money/money.ts';
import { createRefund, type CreateRefundPorts, type RefundObstacle } from '../refund/create-refund.ts';
import type { Refund } from '../refund/refund.ts';
import { fail, ok, type Result } from '../result.ts';

type Command = {
  /** The id of the decision: a repetition finds the refund. */
  readonly id: string;
  readonly by: string;
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly reason: string;
};

/** `refund_not_paid`, `refund_more_than_refundable`, …: why the payment cannot be refunded so. */
type RefundRefusal =
  | SignedReasonRefusal
  | `refund_${RefundObstacle['why']}`
  | 'payment_not_found'
  | 'refund_amount_invalid'
  | 'refund_balance_not_enough';

/**
 * Creates the refund that an operator decided on, also of a banned merchant's payment. One person is enough, as in the merchant's own case:
 * the money goes back where it came from, and never more than was received.
 */
export async function refundByOperator(
  ports: CreateRefundPorts,
  { id, by, reason, paymentId, amountMinor }: Command,
): Promise<Result<Refund, RefundRefusal>> {
  const signed = readSignedReason({ by, reason });
  if (!signed.ok) return signed;
  const created = await createRefund(ports, {
    by: { kind: 'operator', identity: by, decisionId: id },
    paymentId: readPaymentId(paymentId),
    amount: { kind: 'part', text: toDecimal(amountMinor) },
    reason: signed.value.reason,
    payer: { email: undefined, phone: undefined },
    idempotencyKey: undefined,
  });
  if (created.ok) return ok(created.value.refund);
  if (created.details) return fail(`refund_${created.details.why}`);
  if (created.error === 'payment_not_found') return fail(created.error);
  return fail(created.error === 'balance_not_enough' ? 'refund_balance_not_enough' : 'refund_amount_invalid');
}
