import { billIdOf, paymentIdOfRefund } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import type { DueRefund, RefundQueue, Refunds } from './ports.ts';

export type SweepRefundsPorts = {
  readonly refunds: Pick<Refunds, 'due' | 'postpone'>;
  readonly refundQueue: RefundQueue;
  readonly now: () => Date;
  readonly log: Log;
};

/** How long a queued refund stays with the workers before it is queued again. */
const requeueAfterMs = 5 * 60_000;
/** The maximum length of the queue, which refunds share with the checks of payments; further due refunds wait on the work list. */
const mostWaiting = 2_000;
const atOnce = 32;

/**
 * Queues every refund that is due. A duplicate message is harmless, so the message is sent before the refund is deferred. A payer waits for
 * a payment, so refunds are queued while fewer messages wait.
 */
export async function sweepRefunds(ports: SweepRefundsPorts): Promise<{ readonly queued: number }> {
  const { refunds, refundQueue, now, log } = ports;
  const due = await refunds.due(now());
  const room = due.length === 0 ? 0 : Math.max(0, mostWaiting - (await refundQueue.length()));
  const fits = due.slice(0, room);
  const until = new Date(now().getTime() + requeueAfterMs);
  const failures: unknown[] = [];
  const sweepOne = async (refund: DueRefund) => {
    try {
      await refundQueue.send(refund.id, { group: billIdOf(paymentIdOfRefund(refund.id)) });
      await refunds.postpone(refund, until);
    } catch (failure) {
      log('error', 'refund_not_swept', { ...kindOf(failure), refund: refund.id });
      failures.push(failure);
    }
  };
  for (let from = 0; from < fits.length; from += atOnce)
    await Promise.all(fits.slice(from, from + atOnce).map(sweepOne));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${fits.length} refunds were not swept.`);
  return { queued: fits.length };
}
