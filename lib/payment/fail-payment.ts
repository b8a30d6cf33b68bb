import { refundEntry } from './payment-postings.ts';
import type { Result } from '../result.ts';
import { endAttempt } from './network-attempts.ts';
import { holdsBill, isGivenUp } from './next-step.ts';
import { enqueuePostback, outcomePostback } from './outcome-postback.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import type { AcquirerView, PaymentWithBill } from './ports.ts';
import { cardOf, type OutcomePorts, type ResolvePorts, type StepResult } from './resolve-step.ts';

/** Fail and refunded: none of the payer's money is kept. */
export async function failPayment(
  ports: ResolvePorts,
  found: PaymentWithBill,
  view: AcquirerView,
): Promise<StepResult> {
  const outcome = 'outcome' in view ? view.outcome : view.state;
  const countsFailure = !isGivenUp(found.payment, view.state);
  const written = await recordFailure(ports, found, { countsFailure, outcome, ...cardOf(view) });
  if (written.ok && !isFinalPayment(found.payment) && found.payment.phase !== 'REFUNDING')
    await endAttempt(ports, found.payment, view.state === 'declined' ? 'failed' : 'cancelled');
  return undefined;
}

type Failure = Partial<Pick<Payment, 'outcome' | 'fromCard' | 'phase'>> & {
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
  const after: Payment = { ...payment, ...known, status: 'FAIL', phase };
  const event = isFinalPayment(payment) ? undefined : await outcomePostback(ports, after, at);
  const written = await ports.payments.failed(payment, after, {
    releasesBill: bill.type === 'NORMAL' && holdsBill({ payment, bill }),
    countsFailure,
    entry: refunded ? refundEntry(payment, payment.receivedMinor ?? 0n, at) : undefined,
    // Refunded: another payment paid the bill, so no postback is sent for this one.
    event: event && refunded ? { ...event, state: 'SUPERSEDED' } : event,
  });
  if (written.ok && !refunded) await enqueuePostback(ports, event);
  return written;
}
