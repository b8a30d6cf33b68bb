import { endpointIdOf, type PostbackEvent } from './event.ts';
import type { Endpoints, Events, PostbackQueue } from './ports.ts';
import { queueEvent } from './queue-event.ts';

type ReplayPorts = {
  readonly events: Pick<Events, 'replay' | 'listUndelivered'>;
  readonly endpoints: Pick<Endpoints, 'resume'>;
  readonly queue: PostbackQueue;
  readonly now: () => Date;
};

/** Sends an event again, under the id it always had; undefined when there is none or a worker has leased it. */
export async function replayPostback(
  { events, queue, now }: Pick<ReplayPorts, 'queue' | 'now'> & { readonly events: Pick<Events, 'replay'> },
  eventId: string,
): Promise<PostbackEvent | undefined> {
  const event = await events.replay(eventId, now());
  if (event) await queueEvent(queue, event);
  return event;
}

/** Lets an endpoint be called again and sends what waited for it, oldest first. */
export async function resumeEndpoint(
  ports: ReplayPorts,
  endpointId: string,
): Promise<{ readonly replayed: number }> {
  await ports.endpoints.resume(endpointId);
  const waiting = (await ports.events.listUndelivered())
    .filter((event) => event.state === 'PAUSED' && endpointIdOf(event) === endpointId)
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  let replayed = 0;
  for (const { id } of waiting) if (await replayPostback(ports, id)) replayed += 1;
  return { replayed };
}
