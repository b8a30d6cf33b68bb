import { kindOf, type Log } from '../log.ts';
import type { DuePayout, PayoutQueue, Payouts } from './ports.ts';

export type SweepPayoutsPorts = {
  readonly payouts: Pick<Payouts, 'due' | 'postpone'>;
  readonly payoutQueue: PayoutQueue;
  readonly now: () => Date;
  readonly log: Log;
};

/** How long a queued payout is left to the dispatcher before the sweep queues it again. */
const patienceMs = 5 * 60_000;
const atOnce = 16;

/**
 * Queues all payouts that are due for the dispatcher, so that lost messages and crashes need no manual action. A payout
 * that cannot be queued does not delay the others.
 */
export async function sweepPayouts({ payouts, payoutQueue, now, log }: SweepPayoutsPorts): Promise<void> {
  const due = await payouts.due(now());
  const until = new Date(now().getTime() + patienceMs);
  const failures: unknown[] = [];
  const queue = async (payout: DuePayout) => {
    await payoutQueue.send(payout.id, { group: 'sweep' });
    await payouts.postpone(payout, until);
  };
  const sweepOne = (payout: DuePayout) =>
    queue(payout).catch((failure: unknown) => {
      log('error', 'payout_not_swept', { ...kindOf(failure), payout: payout.id });
      failures.push(failure);
    });
  for (let from = 0; from < due.length; from += atOnce) {
    await Promise.all(due.slice(from, from + atOnce).map(sweepOne));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${due.length} payouts were not swept.`);
}
