import { endpointIdOf, type PostbackEvent } from '../postback/event.ts';
import type { Endpoints, Events, PostbackQueue } from '../postback/ports.ts';
import { replayPostback } from '../postback/replay-postbacks.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly events: Events;
  readonly endpoints: Endpoints;
  readonly postbackQueue: PostbackQueue;
};
type ReplayRefusal = 'postback_not_found' | 'postback_under_way' | 'endpoint_paused';

/** Sends a postback once more under its old id, so that a receiver that has it already recognizes it. */
export async function replayOnePostback(
  { now, events, endpoints, postbackQueue }: Ports,
  { eventId }: { readonly eventId: string },
): Promise<Result<PostbackEvent, ReplayRefusal>> {
  const known = await events.find(eventId);
  if (!known) return fail('postback_not_found');
  const health = await endpoints.find(endpointIdOf(known));
  // It would only be set aside again: the endpoint is paused.
  if (health?.paused) return fail('endpoint_paused');
  const event = await replayPostback({ now, events, queue: postbackQueue }, eventId);
  return event ? ok(event) : fail('postback_under_way');
}
