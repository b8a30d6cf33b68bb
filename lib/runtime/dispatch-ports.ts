import { payoutQueue, postbackQueue } from './queues.ts';
import { rail } from './rail.ts';
import { destinationOpener } from './sealing.ts';
import { merchants, payouts } from './store.ts';
import { system } from './system.ts';

/** What the dispatcher of payouts works with. */
export const dispatchPorts = async () => ({
  ...system,
  payouts: payouts(),
  merchants: merchants(),
  rail: await rail(),
  destinationOpener: destinationOpener(),
  payoutQueue: payoutQueue(),
  postbackQueue: postbackQueue(),
});
