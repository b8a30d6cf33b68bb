import { kindOf, type Log } from '../log.ts';
import type { DueEvent, Events, PostbackQueue } from './ports.ts';

export type SweepPorts = {
  readonly events: Pick<Events, 'due' | 'postpone'>;
  readonly queue: PostbackQueue;
  /** For events that were tried before. */
  readonly retryQueue: PostbackQueue;
  readonly now: () => Date;
  readonly log: Log;
};

/** Above this length the workers are behind, and first messages are late rather than lost. */
const longQueue = 10_000;
/** How long after its message the sweeper queues an event again. */
const againAfterMs = 5 * 60_000;
const together = 16;

/**
 * Queues undelivered events that are due: lost messages, long retries, the work of crashed workers. Runs each minute.
 * A duplicate message is harmless, so the message is sent before the event is postponed.
 */
export async function sweepPostbacks(ports: SweepPorts): Promise<{ readonly queued: number }> {
  const due = await ports.events.due(ports.now());
  const behind = due.some(({ first }) => first) && (await ports.queue.length()) > longQueue;
  const results: PromiseSettledResult<boolean>[] = [];
  for (let done = 0; done < due.length; done += together) {
    const some = due.slice(done, done + together);
    results.push(...(await Promise.allSettled(some.map((event) => sweepOne(ports, event, behind)))));
  }
  const errors = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${due.length} events were not swept.`);
  return { queued: results.filter((result) => result.status === 'fulfilled' && result.value).length };
}

async function sweepOne(
  { events, queue, retryQueue, now, log }: SweepPorts,
  event: DueEvent,
  behind: boolean,
): Promise<boolean> {
  try {
    const sends = !(behind && event.first);
    const lane = event.first ? queue : retryQueue;
    if (sends) await lane.send(event.id, { group: event.endpointId });
    await events.postpone(event.id, event.due, new Date(now().getTime() + againAfterMs));
    return sends;
  } catch (error) {
    log('error', 'postback_not_swept', { ...kindOf(error), postback: event.id });
    throw error;
  }
}
