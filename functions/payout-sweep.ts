import { type SweepPayoutsPorts, sweepPayouts } from '../lib/payout/sweep-payouts.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutQueue } from '../lib/runtime/queues.ts';
import { payouts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: queues the payouts that are due. */
export const create = (deps: SweepPayoutsPorts) => (): Promise<void> => sweepPayouts(deps);

export const handler = lambdaHandler(() =>
  create({ ...system, payouts: payouts(), payoutQueue: payoutQueue() }),
);
