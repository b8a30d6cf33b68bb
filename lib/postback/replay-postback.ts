import type { MerchantId, ShopId } from '../ids.ts';
import { type EndpointId, endpointIdOf, type PostbackEvent } from './event.ts';
import type { Endpoints, Events, PostbackQueue } from './ports.ts';
import { replayPostback, replayUndelivered } from './replay-postbacks.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly events: Events;
  readonly endpoints: Endpoints;
  readonly postbackQueue: PostbackQueue;
};
type ReplayRefusal = 'postback_not_found' | 'postback_under_way' | 'endpoint_paused';

/** Sends a postback again under the same id, by which the receiver recognizes a repetition. */
export async function replayOnePostback(
  { now, events, endpoints, postbackQueue }: Ports,
  { eventId }: { readonly eventId: string },
): Promise<Result<PostbackEvent, ReplayRefusal>> {
  const known = await events.find(eventId);
  if (!known) return fail('postback_not_found');
  const health = await endpoints.find(endpointIdOf(known));
  // The event would only become PAUSED again.
  if (health?.paused) return fail('endpoint_paused');
  const event = await replayPostback({ now, events, queue: postbackQueue }, eventId);
  return event ? ok(event) : fail('postback_under_way');
}

type Whose = { readonly shopId: ShopId } | { readonly merchantId: MerchantId };
type Since = { readonly whose: Whose; readonly since: Date };

/** Sends again the undelivered postbacks of a shop or merchant since a time, DEAD ones too; none to paused endpoints. */
export async function replaySince(
  { now, events, endpoints, postbackQueue }: Ports,
  { whose, since }: Since,
): Promise<{ readonly replayed: number; readonly paused: readonly EndpointId[] }> {
  const isMeant = (event: PostbackEvent) => isOwedTo(whose, event) && event.createdAt >= since;
  const owing = new Set((await events.listUndelivered()).filter(isMeant).map(endpointIdOf));
  const health = await Promise.all([...owing].map((id) => endpoints.find(id)));
  const paused = health.flatMap((each) => (each?.paused ? [each.id] : []));
  const isWanted = (event: PostbackEvent) =>
    isMeant(event) && event.state !== 'PENDING' && !paused.includes(endpointIdOf(event));
  return { ...(await replayUndelivered({ now, events, queue: postbackQueue }, isWanted)), paused };
}

/** Whether the event belongs to a shop (its Result URL and refund URL) or to a merchant (all its shops and its payouts). */
export const isOwedTo = (whose: Whose, event: PostbackEvent): boolean =>
  'shopId' in whose ? event.shopId === whose.shopId : event.merchantId === whose.merchantId;
