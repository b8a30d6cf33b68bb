import { acquirer } from './acquirer.ts';
import { postbackQueue } from './queues.ts';
import { attempts, payments, shops } from './store.ts';
import { system } from './system.ts';

/** What every function works with that may find out how a payment stands. */
export const resolvePorts = async () => ({
  now: system.now,
  log: system.log,
  alarm: system.alarm,
  payments: payments(),
  shops: shops(),
  attempts: attempts(),
  acquirer: await acquirer(),
  postbackQueue: postbackQueue(),
});
