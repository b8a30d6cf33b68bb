import { type SweepPorts, sweepPostbacks } from '../lib/postback/sweep-postbacks.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { postbackQueue, retryQueue } from '../lib/runtime/queues.ts';
import { events } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: queues the postbacks that are due. */
export const create = (deps: SweepPorts) => async (): Promise<void> => {
  await sweepPostbacks(deps);
};

export const handler = lambdaHandler(() =>
  create({ ...system, events: events(), queue: postbackQueue(), retryQueue: retryQueue() }),
);
