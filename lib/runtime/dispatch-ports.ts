import { payoutQueue, postbackQueue } from './queues.ts';
import { rail } from './rail.ts';
import { destinationOpener } from './sealing.ts';
import { fingerprintSecret } from './secrets.ts';
import { merchants, payoutAccounts, payouts } from './store.ts';
import { system } from './system.ts';

/** What the dispatcher of payouts works with. */
export const dispatchPorts = async () => ({
  ...system,
  payouts: payouts(),
  payoutAccounts: payoutAccounts(),
  merchants: merchants(),
  rail: await rail(),
  destinationOpener: destinationOpener(),
  fingerprintSecret,
  payoutQueue: payoutQueue(),
  postbackQueue: postbackQueue(),
});
