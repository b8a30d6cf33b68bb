import { type PaymentId, readPaymentId } from '../ids.ts';
import {
  certainMinor,
  type Chargeback,
  type ChargebackDirection,
  type Chargebacks,
  isDecidedChargeback,
  nextChargeback,
} from '../ledger/chargeback.ts';
import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { largestAmount } from '../money/money.ts';
import { isPaid, type Payment } from '../payment/payment.ts';
import { totalsOf } from '../payment/refund-totals.ts';
import type { Payments } from '../payment/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

type Ports = {
  readonly now: () => Date;
  readonly payments: Pick<Payments, 'find'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment' | 'create'>;
};
type Command = {
  /** The id of the decision: a repetition finds the item. */
  readonly id: string;
  readonly by: string;
  readonly paymentId: string;
  readonly direction: ChargebackDirection;
  /** In the payment's currency. */
  readonly amountMinor: bigint;
  readonly reason: string;
};
type EntryRefusal =
  | SignedReasonRefusal
  | 'payment_not_found'
  | 'payment_not_paid'
  | 'chargeback_is_open'
  | 'chargeback_amount_invalid';

/**
 * Records a chargeback that the acquirer's interface does not report, from a letter or a statement. No money moves until two
 * people confirm it. Refused while the payment has an open item, so that one chargeback is not recorded by two people, or by a
 * person and a notification.
 */
export async function enterChargeback(
  { payments, chargebacks, now }: Ports,
  { id, by, reason, direction, amountMinor, ...command }: Command,
): Promise<Result<Chargeback, EntryRefusal>> {
  const signed = readSignedReason({ by, reason });
  if (!signed.ok) return signed;
  const paymentId: PaymentId | undefined = readPaymentId(command.paymentId);
  const attempt = async (): Promise<Result<Chargeback, EntryRefusal> | typeof conflict> => {
    const payment = paymentId && (await payments.find(paymentId));
    if (!payment) return fail('payment_not_found');
    if (!isPaid(payment)) return fail('payment_not_paid');
    const known = await chargebacks.ofPayment(payment.id);
    const done = known.find(({ entered }) => entered?.id === id);
    if (done) return ok(done);
    if (!known.every(isDecidedChargeback)) return fail('chargeback_is_open');
    if (!isPossible(payment, known, { direction, amountMinor })) return fail('chargeback_amount_invalid');
    const item = nextChargeback(known, {
      paymentId: payment.id,
      merchantId: payment.merchantId,
      direction,
      amount: { minor: amountMinor, currency: payment.amount.currency },
      seen: undefined,
      entered: { id, ...signed.value },
      at: now(),
    });
    return (await chargebacks.create(item, payment.refunds)).ok ? ok(item) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The list of a payment’s chargebacks') });
}

/** A loss is at most what is left of the payment beside its chargebacks and its refunds, also those that are under way. */
function isPossible(
  payment: Payment,
  known: readonly Chargeback[],
  { direction, amountMinor }: Pick<Command, 'direction' | 'amountMinor'>,
): boolean {
  const left = certainMinor(payment.receivedMinor ?? 0n, known) - totalsOf(payment).reservedMinor;
  const most = direction === 'loss' ? left : largestAmount;
  return amountMinor > 0n && amountMinor <= most;
}
