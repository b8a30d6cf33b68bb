import { startEventSource } from './event-source.ts';
import { eventSourcesOf } from './event-sources.ts';
import type { Invoke } from '../gateway/gateway.ts';
import { queueClient } from '../services/queues.ts';
import type { Resource } from '../template/resources.ts';
import { schedulesOf, startSchedules } from './schedules.ts';

type Options = { readonly queueEndpoint: string; readonly schedules: boolean; readonly now: () => Date };

/** Starts what calls functions without a request: queues and schedules. */
export function startTriggers(
  resources: readonly Resource[],
  invoke: Invoke,
  { queueEndpoint, schedules, now }: Options,
): { readonly stop: () => Promise<void> } {
  // Read in any case: a schedule that cannot be read is a broken template.
  const planned = schedulesOf(resources);
  const clock = startSchedules(schedules ? planned : [], invoke, now);
  const client = queueClient(queueEndpoint);
  const sources = eventSourcesOf(resources).map((source) => startEventSource(client, source, invoke));
  return {
    stop: async () => {
      clock.stop();
      await Promise.all(sources.map((source) => source.stop()));
      client.destroy();
    },
  };
}
