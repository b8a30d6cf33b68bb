import { type AutoPayoutsPorts, runAutoPayouts } from '../lib/payout/run-auto-payouts.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutQueue } from '../lib/runtime/queues.ts';
import { railLimits } from '../lib/runtime/rail.ts';
import { destinationSealer } from '../lib/runtime/sealing.ts';
import { fingerprintSecret } from '../lib/runtime/secrets.ts';
import { autoPayouts, payouts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** Each hour: runs the automatic payouts whose hour has come. */
export const create = (deps: AutoPayoutsPorts) => (): Promise<void> => runAutoPayouts(deps);

export const handler = lambdaHandler(() =>
  create({
    ...system,
    autoPayouts: autoPayouts(),
    payouts: payouts(),
    rail: railLimits(),
    destinationSealer: destinationSealer(),
    fingerprintSecret,
    payoutQueue: payoutQueue(),
  }),
);
