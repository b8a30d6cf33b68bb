import { type SweepPayoutsPorts, sweepPayouts } from '../lib/payout/sweep-payouts.ts';

/** Each minute: queues the payouts that are due. */
export const create = (deps: SweepPayoutsPorts) => (): Promise<void> => sweepPayouts(deps);
