import type * as z from 'zod/mini';
import type {
  listPostbacksRoute,
  postback,
  postbackAttempt,
  replayPostbackRoute,
  testPostbackRoute,
} from '../../contract/postback.ts';
import { nothingLeft } from '../../nothing-left.ts';
import { type Attempt, type PostbackEvent, subjectOf } from '../../postback/event.ts';
import type { TestedPostback } from '../../postback/send-test-postback.ts';
import type { PostbackPage } from '../../search/list-postbacks.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

export function presentPostbacks(
  { events, perPage, next, previous, ...rest }: PostbackPage,
  view: View,
): z.input<(typeof listPostbacksRoute)['output']> {
  nothingLeft(rest);
  return {
    data: events.map((event) => postbackFields(event, view)),
    meta: { per_page: perPage, next_cursor: next ?? null, prev_cursor: previous ?? null },
    success: true,
  };
}

export const presentPostback = (
  event: PostbackEvent,
  view: View,
): z.input<(typeof replayPostbackRoute)['output']> => ({ ...postbackFields(event, view), success: true });

export function presentTestedPostback(
  { id, url, delivered, attempt, ...rest }: TestedPostback,
  view: View,
): z.input<(typeof testPostbackRoute)['output']> {
  nothingLeft(rest);
  return { id, url, delivered, ...attemptFields(attempt, view), success: true };
}

/** The fields that are in no response: what was sent is in the merchant's hands, sealed or of the payer. */
type Hidden =
  | 'merchantId'
  | 'shopId'
  | 'supersededByBill'
  | 'sentAfter'
  | 'fields'
  | 'sealedPhone'
  | 'extended'
  | 'tries';

type Fields = z.input<z.ZodMiniObject<typeof postback>>;

function postbackFields(event: Omit<PostbackEvent, Hidden>, view: View): Fields {
  const { id, kind, status, state, attempts, createdAt, nextAt, ...rest } = event;
  nothingLeft(rest);
  const isWaiting = state === 'PENDING' || state === 'RETRY';
  return {
    id,
    kind,
    ...subjectFields(event),
    status,
    state,
    created_at: timestamp(createdAt, view.timeZone),
    next_attempt_at: isWaiting ? timestamp(nextAt, view.timeZone) : null,
    attempts: attempts.map((attempt) => attemptFields(attempt, view)),
  };
}

/** The ids of what it is about. Those of refunds and chargebacks begin with their payment's. */
function subjectFields(event: Pick<PostbackEvent, 'id' | 'kind'>) {
  const subject = subjectOf(event);
  return {
    payment_id: event.kind === 'payout' ? null : subject.slice(0, 26),
    payout_id: event.kind === 'payout' ? subject : null,
    refund_id: event.kind === 'refund' ? subject : null,
  };
}

function attemptFields(
  { at, outcome, ms, answer, ...rest }: Attempt,
  { timeZone }: View,
): z.input<z.ZodMiniObject<typeof postbackAttempt>> {
  nothingLeft(rest);
  return {
    at: timestamp(at, timeZone),
    outcome: outcome ?? 'in_progress',
    ...(ms !== undefined && { ms }),
    ...(answer !== undefined && { answer }),
  };
}
