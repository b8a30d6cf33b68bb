import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import { endpointIdOf, isEventId, type PostbackEvent } from './event.ts';
import type { Endpoints, Events, PostbackQueue } from './ports.ts';
import { replayPostback } from './replay-postbacks.ts';
import { mostAskedPerMinute } from './send-test-postback.ts';

export type ReplayOwnPorts = {
  readonly events: Pick<Events, 'find' | 'replay'>;
  readonly endpoints: Pick<Endpoints, 'find' | 'countAsked'>;
  readonly postbackQueue: Pick<PostbackQueue, 'send'>;
  readonly now: () => Date;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
export type ReplayOwnRefusal =
  | (typeof merchantRefusals)[number]
  | 'postback_not_found'
  | 'postback_under_way'
  | 'endpoint_paused'
  | 'too_many_requests';

/**
 * Sends one of the caller's postbacks again under the same id, from the first step of the schedule. One that waits for its first attempt,
 * or is being sent, needs no replay; one to a paused URL would only wait.
 */
export async function replayOwnPostback(
  { events, endpoints, postbackQueue, now }: ReplayOwnPorts,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<Result<PostbackEvent, ReplayOwnRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  const known = isEventId(eventId) ? await events.find(eventId) : undefined;
  // Another merchant's postback is indistinguishable from a missing one.
  if (known?.merchantId !== caller.merchantId) return fail('postback_not_found');
  if (isUnderWay(known)) return fail('postback_under_way');
  const endpointId = endpointIdOf(known);
  if ((await endpoints.find(endpointId))?.paused) return fail('endpoint_paused');
  if (!(await endpoints.countAsked(endpointId, now(), mostAskedPerMinute))) return fail('too_many_requests');
  const event = await replayPostback({ now, events, queue: postbackQueue }, eventId);
  return event ? ok(event) : fail('postback_under_way');
}

const isUnderWay = ({ state, attempts }: PostbackEvent): boolean => {
  const last = attempts.at(-1);
  return state === 'PENDING' || (last !== undefined && last.outcome === undefined);
};
