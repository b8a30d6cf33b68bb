import { billIdOf } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import type { DuePayment, PaymentQueue, Payments } from './ports.ts';

export type SweepPaymentsPorts = {
  readonly payments: Pick<Payments, 'due' | 'postpone'>;
  readonly paymentQueue: PaymentQueue;
  readonly now: () => Date;
  readonly log: Log;
};

/** How long a queued payment stays with the workers before it is queued again. */
const requeueAfterMs = 5 * 60_000;
/** The maximum length of the queue: when the workers fall behind, further due payments wait on the work list. */
const mostWaiting = 10_000;
/** The same for checks after the capture, which may be due in large numbers at once, as when the reserves of a busy day end. */
const mostWaitingCaptured = 2_000;
const atOnce = 32;

/**
 * The reconciler, run each minute: queues every payment that is due, so that the workers check it with the acquirer.
 * A duplicate message is harmless, so the message is sent before the payment is deferred.
 */
export async function sweepPayments(ports: SweepPaymentsPorts): Promise<{ readonly queued: number }> {
  const { payments, paymentQueue, now, log } = ports;
  const due = await payments.due(now());
  const fits = due.length === 0 ? [] : thatFit(due, await paymentQueue.length());
  const until = new Date(now().getTime() + requeueAfterMs);
  const failures: unknown[] = [];
  const queue = async (payment: DuePayment) => {
    // Grouped by bill, so that a bill with very many payments does not delay others, nor do checks after the capture.
    await paymentQueue.send(payment.id, { group: payment.isCaptured ? 'captured' : billIdOf(payment.id) });
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

function thatFit(due: readonly DuePayment[], waiting: number): readonly DuePayment[] {
  const upTo = (most: number, isCaptured: boolean, alreadyWaiting: number) =>
    due.filter((each) => each.isCaptured === isCaptured).slice(0, Math.max(0, most - alreadyWaiting));
  const open = upTo(mostWaiting, false, waiting);
  return [...open, ...upTo(mostWaitingCaptured, true, waiting + open.length)];
}
