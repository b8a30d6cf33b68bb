import { acquirer } from './acquirer.ts';
import { adjustments, decisions, proposals } from './decision-store.ts';
import { optionalRail } from './rail.ts';
import { payoutQueue, postbackQueue } from './queues.ts';
import { destinationOpener } from './sealing.ts';
import { merchants, payments, payouts, shops, terms } from './store.ts';
import { system } from './system.ts';

/** What people's decisions are carried out with. */
export const carryOutPorts = async () => ({
  now: system.now,
  log: system.log,
  decisions: decisions(),
  proposals: proposals(),
  adjustments: adjustments(),
  merchants: merchants(),
  terms: terms(),
  shops: shops(),
  payments: payments(),
  payouts: payouts(),
  acquirer: await acquirer(),
  rail: await optionalRail(),
  destinationOpener: destinationOpener(),
  payoutQueue: payoutQueue(),
  postbackQueue: postbackQueue(),
});
