import { wasDeferred } from './attempts.ts';
import { type EndpointId, endpointIdOf, type PostbackEvent } from './event.ts';
import type { Endpoints, Events, PostbackQueue } from './ports.ts';
import { queueEvent } from './queue-event.ts';

type QueueingPorts = {
  readonly events: Pick<Events, 'replay' | 'listUndelivered'>;
  readonly queue: Pick<PostbackQueue, 'send'>;
  readonly now: () => Date;
};
type ResumePorts = QueueingPorts & {
  readonly endpoints: Pick<Endpoints, 'resume'>;
  readonly wait: (ms: number) => Promise<void>;
};

/** How many events are replayed concurrently. */
const together = 16;
/** Longer than the usual lag of the eventually consistent work index. */
const indexLagMs = 2_000;

/** Sends an event again under the same id; undefined when it does not exist or a worker has leased it. */
export async function replayPostback(
  { events, queue, now }: Pick<QueueingPorts, 'queue' | 'now'> & { readonly events: Pick<Events, 'replay'> },
  eventId: string,
): Promise<PostbackEvent | undefined> {
  const event = await events.replay(eventId, now());
  if (event) await queueEvent(queue, event);
  return event;
}

/** Sends the selected undelivered events again, oldest first. Returns how many were queued. */
export async function replayUndelivered(
  ports: QueueingPorts,
  isWanted: (event: PostbackEvent) => boolean,
): Promise<{ readonly replayed: number }> {
  const waiting = (await ports.events.listUndelivered())
    .filter(isWanted)
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  let replayed = 0;
  for (let done = 0; done < waiting.length; done += together) {
    const some = waiting.slice(done, done + together).map(({ id }) => replayPostback(ports, id));
    replayed += (await Promise.all(some)).filter((event) => event !== undefined).length;
  }
  return { replayed };
}

/**
 * Resumes an endpoint: closes its breaker and sends the events that waited for it or were given up. The index is read
 * twice: an event that became PAUSED between two pages of the first read is found by the second. After the first read
 * no event of the endpoint becomes PAUSED any more (`Events.finish`).
 */
export async function resumeEndpoint(
  ports: ResumePorts,
  endpointId: EndpointId,
): Promise<{ readonly replayed: number }> {
  const waits = (event: PostbackEvent) => endpointIdOf(event) === endpointId && waitsForOperator(event);
  await ports.endpoints.resume(endpointId);
  const first = await replayUndelivered(ports, waits);
  await ports.wait(indexLagMs);
  const second = await replayUndelivered(ports, waits);
  return { replayed: first.replayed + second.replayed };
}

/** Whether the event is PAUSED, DEAD, or was deferred by the breaker, which is closed now. */
const waitsForOperator = ({ state, attempts }: PostbackEvent): boolean =>
  state === 'PAUSED' || state === 'DEAD' || (state === 'RETRY' && wasDeferred(attempts));
