import { type AutoPayoutsPorts, runAutoPayouts } from '../lib/payout/run-auto-payouts.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCreationPorts } from '../lib/runtime/ports.ts';
import { autoPayouts } from '../lib/runtime/stores.ts';

/** Each minute: runs the automatic payouts that are due. */
export const create = (deps: AutoPayoutsPorts) => (): Promise<void> => runAutoPayouts(deps);

export const handler = lambdaHandler(() => create({ ...payoutCreationPorts(), autoPayouts: autoPayouts() }));
