import { type AutoPayoutsPorts, runAutoPayouts } from '../lib/payout/run-auto-payouts.ts';

/** Each hour: runs the automatic payouts whose hour has come. */
export const create = (deps: AutoPayoutsPorts) => (): Promise<void> => runAutoPayouts(deps);
