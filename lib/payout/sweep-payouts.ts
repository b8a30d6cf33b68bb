import type { DuePayout, PayoutQueue, Payouts } from './ports.ts';

export type SweepPayoutsPorts = {
  readonly payouts: Pick<Payouts, 'due' | 'postpone'>;
  readonly payoutQueue: PayoutQueue;
  readonly now: () => Date;
};

/** How long a queued payout is left to the dispatcher before it is queued again. */
const patienceMs = 5 * 60_000;
const atOnce = 16;

/** The reconciler: queues whatever is due for the dispatcher, so that a lost message or a crash needs no one. */
export async function sweepPayouts({ payouts, payoutQueue, now }: SweepPayoutsPorts): Promise<void> {
  const due = await payouts.due(now());
  const until = new Date(now().getTime() + patienceMs);
  const queue = async (payout: DuePayout) => {
    await payoutQueue.send(payout.id, { group: 'sweep' });
    await payouts.postpone(payout, until);
  };
  for (let from = 0; from < due.length; from += atOnce) {
    await Promise.all(due.slice(from, from + atOnce).map(queue));
  }
}
