import { Defect } from '../defect.ts';
import type { PaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import { awaitsAcquirer, type Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

/** When an unknown outcome is asked about again: 10 s after the start, then after these pauses, then hourly. */
const pausesInSeconds = [30, 120, 600, 3600] as const;
/** A payer who leaves is given up after an hour: what is open for a day waits for something that does not happen. */
const stuckAfterMs = 24 * 3600_000;
/** The sweep that queued it and this worker may read different clocks. */
const clocksDifferMs = 5_000;

export type CheckPorts = ResolvePorts & { readonly log: Log };

/**
 * Asks the acquirer about one payment that is due, and plans the next check while it stays open; after a day each check
 * raises an alarm. A message may come twice, late or for a payment that is done: then the acquirer is not asked. An
 * acquirer that cannot be reached is no failure of the worker: the payment is due again.
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
  // Counted from what was seen due: whoever was overtaken by another check neither counts nor plans again.
  await ports.payments.postponeCheck(before, nextCheck(before, ports.now()));
}

/** A payment that was written before it kept the moment of its next check is due whenever the list says so. */
const isDue = (payment: Payment, now: Date): boolean =>
  awaitsAcquirer(payment) &&
  (payment.nextCheck === undefined || payment.nextCheck.getTime() <= now.getTime() + clocksDifferMs);

const nextCheck = ({ checks }: Payment, now: Date): Date =>
  new Date(now.getTime() + (pausesInSeconds[checks] ?? 3600) * 1000);
