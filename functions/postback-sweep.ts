import { type SweepPorts, sweepPostbacks } from '../lib/postback/sweep-postbacks.ts';

/** Each minute: queues the postbacks that are due. */
export const create = (deps: SweepPorts) => async (): Promise<void> => {
  await sweepPostbacks(deps);
};
