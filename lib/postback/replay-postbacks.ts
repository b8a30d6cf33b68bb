import { wasPutOff } from './attempts.ts';
import { type EndpointId, endpointIdOf, type PostbackEvent } from './event.ts';
import type { Endpoints, Events, PostbackQueue } from './ports.ts';
import { queueEvent } from './queue-event.ts';

type QueueingPorts = {
  readonly events: Pick<Events, 'replay' | 'listUndelivered'>;
  readonly queue: PostbackQueue;
  readonly now: () => Date;
};
type ResumePorts = QueueingPorts & {
  readonly endpoints: Pick<Endpoints, 'resume'>;
  readonly wait: (ms: number) => Promise<void>;
};

/** How many are sent again at a time. */
const together = 16;
/** What the work index needs, and more, to show what was put aside a moment ago. */
const indexLagMs = 2_000;

/** Sends an event again, under the id it always had; undefined when there is none or a worker has leased it. */
export async function replayPostback(
  { events, queue, now }: Pick<QueueingPorts, 'queue' | 'now'> & { readonly events: Pick<Events, 'replay'> },
  eventId: string,
): Promise<PostbackEvent | undefined> {
  const event = await events.replay(eventId, now());
  if (event) await queueEvent(queue, event);
  return event;
}

/** Sends again what is not delivered and wanted, the oldest first; says how many are on their way. */
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
 * Lets an endpoint be called again, its breaker closed, and sends what waited for it or was given up. It looks twice:
 * an event that was put aside while the index was read, between two of its pages, shows only to the second look.
 * Later than the first nothing is put aside any more (`Events.finish`).
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

/** Put aside, given up, or held back by the breaker, which is closed now. */
const waitsForOperator = ({ state, attempts }: PostbackEvent): boolean =>
  state === 'PAUSED' || state === 'DEAD' || (state === 'RETRY' && wasPutOff(attempts));
