import { Defect } from '../defect.ts';
import type { PaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import { awaitsAcquirer, type Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

/** The backoff of checks: the first is due 10 s after the start, the next after these pauses, then hourly. */
const pausesInSeconds = [30, 120, 600, 3600] as const;
/** An abandoned payment is cancelled after an hour, so one that is still open after a day is stuck. */
const stuckAfterMs = 24 * 3600_000;
/** The clocks of the sweep that queued the payment and of this worker may differ. */
const clocksDifferMs = 5_000;

export type CheckPorts = ResolvePorts & { readonly log: Log };

/**
 * Checks one due payment with the acquirer and schedules the next check while it stays open; after a day each check
 * raises `payment_stuck`. For a duplicate or late message, or a payment that is done, the acquirer is not queried. When
 * the acquirer cannot be reached the worker does not fail: the payment becomes due again.
 * Throws when the store cannot be reached, and for a payment that does not exist.
 */
export async function checkPayment(ports: CheckPorts, paymentId: PaymentId): Promise<void> {
  const before = await ports.payments.find(paymentId);
  if (!before) throw new Defect('PAYMENT_MISSING', `Payment ${paymentId} does not exist`);
  if (!isDue(before, ports.now())) return;
  const found = await resolvePayment(ports, paymentId, { evenIfFailed: true }).catch((error: unknown) =>
    ports.log('error', 'payment_not_resolved', { ...kindOf(error), payment: paymentId }),
  );
  const payment = found?.payment ?? before;
  if (!awaitsAcquirer(payment)) return;
  if (ports.now().getTime() - payment.createdAt.getTime() > stuckAfterMs)
    ports.alarm('payment_stuck', { payment: paymentId });
  // Conditional on the payment as read above: a check that lost a race neither counts nor schedules another.
  await ports.payments.postponeCheck(before, nextCheck(before, ports.now()));
}

/** A payment stored before `nextCheck` existed is due whenever the work list says so. */
const isDue = (payment: Payment, now: Date): boolean =>
  awaitsAcquirer(payment) &&
  (payment.nextCheck === undefined || payment.nextCheck.getTime() <= now.getTime() + clocksDifferMs);

const nextCheck = ({ checks }: Payment, now: Date): Date =>
  new Date(now.getTime() + (pausesInSeconds[checks] ?? 3600) * 1000);
