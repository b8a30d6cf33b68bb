import { Defect } from '../defect.ts';
import type { PaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import { ProviderBusy } from '../provider-port.ts';
import { isDueAt, nextCheckOfDone } from './after-capture.ts';
import { checkAfterCapture } from './check-after-capture.ts';
import { awaitsAcquirer, type Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

/** The backoff of checks: the first is due 10 s after the start, the next after these pauses, then hourly. */
const pausesInSeconds = [30, 120, 600, 3600] as const;
/** An abandoned payment is cancelled after an hour, so one that is still open after a day is stuck. */
const stuckAfterMs = 24 * 3600_000;

export type CheckPorts = ResolvePorts & { readonly log: Log };

/**
 * Checks one due payment with the acquirer and schedules the next check while it stays open; after a day each check
 * raises `payment_stuck`. For a duplicate or late message, or a payment that waits for nothing, the acquirer is not queried. When
 * the acquirer cannot be reached the worker does not fail: the payment becomes due again, after the acquirer's own pause when it
 * is busy. Throws when the store cannot be reached, and for a payment that does not exist.
 */
export async function checkPayment(ports: CheckPorts, paymentId: PaymentId): Promise<void> {
  const before = await ports.payments.find(paymentId);
  if (!before) throw new Defect('PAYMENT_MISSING', `Payment ${paymentId} does not exist`);
  if (!isDue(before, ports.now())) return;
  if (!awaitsAcquirer(before) && before.lateQuery === undefined) return checkAfterCapture(ports, before);
  let failure: unknown;
  const found = await resolvePayment(ports, paymentId, { evenIfFailed: true }).catch((error: unknown) => {
    failure = error;
    ports.log('error', 'payment_not_resolved', { ...kindOf(error), payment: paymentId });
  });
  const payment = found?.payment ?? before;
  if (!awaitsAcquirer(payment)) return afterLateQuery(ports, before, failure);
  if (ports.now().getTime() - payment.createdAt.getTime() > stuckAfterMs)
    ports.alarm('payment_stuck', { payment: paymentId });
  // Conditional on the payment as read above: a check that lost a race neither counts nor schedules another.
  await ports.payments.postponeCheck(
    { ...before, phase: payment.phase },
    nextCheck(before, ports.now(), failure),
  );
}

/** A payment stored before `nextCheck` existed is due whenever the work list says so. */
const isDue = (payment: Payment, now: Date): boolean =>
  (awaitsAcquirer(payment) || nextCheckOfDone(payment) !== undefined) &&
  (payment.nextCheck === undefined || isDueAt(payment.nextCheck, now));

function nextCheck({ checks }: Payment, now: Date, failure: unknown): Date {
  const pauseMs =
    failure instanceof ProviderBusy ? failure.retryAfterMs : (pausesInSeconds[checks] ?? 3600) * 1000;
  return new Date(now.getTime() + pauseMs);
}

/** From the late query after a day to the one after a week. */
const betweenLateQueriesMs = 6 * 24 * 3600_000;

/** A failed payment that was queried late: the second query follows in the week, and none after it. */
async function afterLateQuery(
  { payments, now }: CheckPorts,
  before: Payment,
  failure: unknown,
): Promise<void> {
  if (before.phase !== 'DONE' || before.lateQuery === undefined) return;
  if (failure !== undefined) {
    await payments.postponeCheck(before, nextCheck(before, now(), failure));
    return;
  }
  const at = new Date(now().getTime() + betweenLateQueriesMs);
  await payments.scheduleLateQuery(
    before,
    before.lateQuery === 'day' ? { lateQuery: 'week', at } : undefined,
  );
}
