import { startEventSource } from './event-source.ts';
import { eventSourcesOf } from './event-sources.ts';
import type { Invoke } from '../gateway/gateway.ts';
import { queueClient } from '../services/queues.ts';
import type { Resource } from '../template/resources.ts';
import { schedulesOf, startSchedules } from './schedules.ts';

type Options = { readonly queueEndpoint: string; readonly schedules: boolean; readonly now: () => Date };

/** Starts the triggers that are not HTTP requests: queues and schedules. */
export function startTriggers(
  resources: readonly Resource[],
  invoke: Invoke,
  { queueEndpoint, schedules, now }: Options,
): { readonly stop: () => Promise<void> } {
  // Always read: an invalid schedule is an error in the template, even when schedules do not run.
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
