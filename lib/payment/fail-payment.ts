import { afterCapture } from './after-capture.ts';
import { contactEnd } from './contact.ts';
import { withRefundReceipt } from './follow-receipts.ts';
import { refundEntry } from './payment-postings.ts';
import type { Result } from '../result.ts';
import { endAttempt } from './network-attempts.ts';
import type { MethodTerms } from './acquirer.ts';
import { holdsBill, isGivenUp, type OrderView, seenState } from './next-step.ts';
import { enqueuePostback, outcomePostback } from './outcome-postback.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import { feeEntries, withCapture } from './provider-fee.ts';
import { accountOf, type OutcomePorts, type ResolvePorts, type StepResult } from './resolve-step.ts';

/** A failure that is not final at the acquirer, or that it did not confirm, is queried once more after a day. */
const firstLateQueryMs = 24 * 3600_000;
export const firstLateQuery = (now: Date): Required<Pick<Failure, 'lateQuery' | 'nextCheck'>> => ({
  lateQuery: 'day',
  nextCheck: new Date(now.getTime() + firstLateQueryMs),
});

type Failing = { readonly view: OrderView; readonly terms: Pick<MethodTerms, 'failureIsFinal'> };

/** Fail and refunded: none of the payer's money is kept. */
export async function failPayment(
  ports: ResolvePorts,
  found: PaymentWithBill,
  { view, terms }: Failing,
): Promise<StepResult> {
  const { payment } = found;
  const countsFailure = !isGivenUp(payment, seenState(view));
  const isLateQueried =
    !terms.failureIsFinal &&
    payment.reference !== undefined &&
    payment.phase !== 'REFUNDING' &&
    // Captured, and refunded before that was seen: it cannot be captured again.
    view.state !== 'captured';
  const written = await recordFailure(ports, found, {
    countsFailure,
    outcome: outcomeOf(payment, view),
    declineReason: 'reason' in view ? view.reason : undefined,
    ...accountOf(view),
    ...(isLateQueried && firstLateQuery(ports.now())),
    ...(view.state === 'captured' && withCapture(ports, payment, view)),
  });
  if (written.ok && !isFinalPayment(payment) && payment.phase !== 'REFUNDING')
    await endAttempt(ports, payment, view.state === 'declined' ? 'failed' : 'cancelled');
  return undefined;
}

function outcomeOf({ startCall }: Payment, view: OrderView): string {
  if (view.state === 'unknown') return startCall.outcome ?? 'refused';
  return 'outcome' in view ? view.outcome : seenState(view);
}

type Failure = Partial<
  Pick<
    Payment,
    | 'outcome'
    | 'declineReason'
    | 'fromCard'
    | 'accountBank'
    | 'phase'
    | 'lateQuery'
    | 'nextCheck'
    | 'providerFeeMinor'
    | 'afterCapture'
  >
> & {
  readonly countsFailure?: boolean;
};

/**
 * Records the failure, whether the acquirer or a person reported it. `known` is what else the acquirer returned,
 * `phase` what is still to be done at the acquirer.
 */
export async function recordFailure(
  ports: OutcomePorts,
  { payment, bill }: PaymentWithBill,
  { phase = 'DONE', countsFailure = true, ...known }: Failure = {},
): Promise<Result<void, 'moved_meanwhile'>> {
  const at = ports.now();
  const refunded = payment.phase === 'REFUNDING';
  const learned: Payment = { ...payment, ...known };
  const after: Payment = {
    ...learned,
    ...contactEnd(payment, at),
    ...(refunded && withRefund(learned, at)),
    status: 'FAIL',
    phase,
  };
  const event = isFinalPayment(payment) ? undefined : await outcomePostback(ports, after, at);
  const written = await ports.payments.failed(payment, after, {
    releasesBill: bill.type === 'NORMAL' && holdsBill({ payment, bill }),
    countsFailure,
    entries: [
      ...(refunded ? [refundEntry(payment, payment.receivedMinor ?? 0n, at)] : []),
      ...feeEntries(payment, after, at),
    ],
    // Refunded: another payment paid the bill, so no postback is sent for this one.
    event: event && refunded ? { ...event, state: 'SUPERSEDED' } : event,
  });
  if (written.ok && !refunded) await enqueuePostback(ports, event);
  return written;
}

/** The receipt of a refund is followed like that of the capture, from the refund on. */
function withRefund(payment: Payment, at: Date): Pick<Payment, 'refundReceipt' | 'afterCapture'> {
  const { fee, receipt } = payment.afterCapture ?? { fee: undefined, receipt: undefined };
  const { refundReceipt } = withRefundReceipt(payment);
  const isFollowed = refundReceipt !== undefined;
  return {
    refundReceipt,
    afterCapture: isFollowed
      ? afterCapture({ fee, receipt, refundReceipt: 'due' }, at)
      : payment.afterCapture,
  };
}
