import { payoutQueue } from './queues.ts';
import { railLimits } from './rail.ts';
import { destinationSealer } from './sealing.ts';
import { fingerprintSecret } from './secrets.ts';
import { payouts } from './store.ts';
import { system } from './system.ts';

/** What every function works with that creates payouts. */
export const payoutCreationPorts = () => ({
  ...system,
  payouts: payouts(),
  rail: railLimits(),
  destinationSealer: destinationSealer(),
  fingerprintSecret,
  payoutQueue: payoutQueue(),
});
