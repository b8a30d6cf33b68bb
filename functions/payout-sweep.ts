import { type SweepPayoutsPorts, sweepPayouts } from '../lib/payout/sweep-payouts.ts';
import { watchModeration, type WatchModerationPorts } from '../lib/payout/watch-moderation.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutQueue } from '../lib/runtime/queues.ts';
import { payouts } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: queues the payouts that are due, and checks how long the oldest has waited for a moderator. */
export const create = (deps: SweepPayoutsPorts & WatchModerationPorts) => async (): Promise<void> => {
  try {
    await sweepPayouts(deps);
  } finally {
    await watchModeration(deps);
  }
};

export const handler = lambdaHandler(() =>
  create({ ...system, payouts: payouts(), payoutQueue: payoutQueue() }),
);
