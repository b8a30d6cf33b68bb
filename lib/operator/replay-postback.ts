import { endpointIdOf, type PostbackEvent } from '../postback/event.ts';
import type { Endpoints, Events } from '../postback/ports.ts';
import { type ReplayPorts, replayPostback } from '../postback/replay-postbacks.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = ReplayPorts & { readonly events: Events; readonly endpoints: Endpoints };

/** Sends a postback once more under its old id, so a receiver that has it already knows it again. */
export async function replayOnePostback(
  ports: Ports,
  { eventId }: { readonly eventId: string },
): Promise<Result<PostbackEvent, 'postback_not_found' | 'postback_under_way' | 'endpoint_paused'>> {
  const known = await ports.events.find(eventId);
  if (!known) return fail('postback_not_found');
  const health = await ports.endpoints.find(endpointIdOf(known));
  // It would only be put aside again.
  if (health?.paused) return fail('endpoint_paused');
  const event = await replayPostback(ports, eventId);
  return event ? ok(event) : fail('postback_under_way');
}
