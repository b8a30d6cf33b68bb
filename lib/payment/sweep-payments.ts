import { billIdOf } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import type { DuePayment, PaymentQueue, Payments } from './ports.ts';

export type SweepPaymentsPorts = {
  readonly payments: Pick<Payments, 'due' | 'postpone'>;
  readonly paymentQueue: PaymentQueue;
  readonly now: () => Date;
  readonly log: Log;
};

/** How long a queued payment is left to the workers before it is queued again. */
const patienceMs = 5 * 60_000;
/** With so many in the queue the workers are behind: what is due beyond that waits on the list, not in the queue. */
const mostWaiting = 10_000;
const atOnce = 32;

/**
 * The reconciler: queues every payment that is due, whoever forgot it, so that the workers ask the acquirer. Each minute.
 * Queueing twice is harmless, so the message goes first and the mark second.
 */
export async function sweepPayments(ports: SweepPaymentsPorts): Promise<{ readonly queued: number }> {
  const { payments, paymentQueue, now, log } = ports;
  const due = await payments.due(now());
  const room = due.length === 0 ? 0 : Math.max(0, mostWaiting - (await paymentQueue.length()));
  const fits = due.slice(0, room);
  const until = new Date(now().getTime() + patienceMs);
  const failures: unknown[] = [];
  const queue = async (payment: DuePayment) => {
    // A bill with a flood of payments does not keep those of others waiting.
    await paymentQueue.send(payment.id, { group: billIdOf(payment.id) });
    await payments.postpone(payment, until);
  };
  const sweepOne = (payment: DuePayment) =>
    queue(payment).catch((failure: unknown) => {
      log('error', 'payment_not_swept', { ...kindOf(failure), payment: payment.id });
      failures.push(failure);
    });
  for (let from = 0; from < fits.length; from += atOnce) {
    await Promise.all(fits.slice(from, from + atOnce).map(sweepOne));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${fits.length} payments were not swept.`);
  return { queued: fits.length };
}
