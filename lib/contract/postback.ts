import * as z from 'zod/mini';
import { eventKinds, eventStates } from '../postback/event.ts';
import type { ReplayOwnRefusal } from '../postback/replay-own-postback.ts';
import { sampleStatuses } from '../postback/sample-event.ts';
import type { TestPostbackRefusal } from '../postback/send-test-postback.ts';
import type { ListPostbacksRefusal } from '../search/list-postbacks.ts';
import { at, id, oneOf, oneRequired, optionalId, perPage, success } from './fields.ts';
import { route } from './route.ts';

/** One attempt to deliver a postback, or why none was made. */
export const postbackAttempt = {
  at,
  outcome: z.string(),
  ms: z.optional(z.int()),
  answer: z.optional(z.string()),
};

/** A postback with its attempts. */
export const postback = {
  id: z.string(),
  kind: z.enum(eventKinds),
  payment_id: z.nullable(z.string()),
  payout_id: z.nullable(z.string()),
  refund_id: z.nullable(z.string()),
  status: z.string(),
  state: z.enum(eventStates),
  created_at: at,
  next_attempt_at: z.nullable(at),
  attempts: z.array(z.object(postbackAttempt)),
};

/** Where a page of postbacks is in its list. */
export const postbackPage = {
  per_page: z.int(),
  next_cursor: z.nullable(z.string()),
  prev_cursor: z.nullable(z.string()),
};

const date = z.iso.date({ error: 'The date must be one of the calendar, written as 2026-11-21.' });

const which = ['id', 'payment_id', 'payout_id', 'refund_id', 'date'] as const;

/** Additive: the caller's own postbacks with each attempt. */
export const listPostbacksRoute = route<ListPostbacksRefusal>()({
  function: 'postback-list',
  method: 'GET',
  path: '/api/v1/postback/list',
  summary: 'List postbacks with their attempts: of a payment, a payout, a refund or a day',
  input: z
    .object({
      id: optionalId,
      payment_id: optionalId,
      payout_id: optionalId,
      refund_id: optionalId,
      date: z.optional(date),
      per_page: z._default(perPage, 20),
      cursor: optionalId,
    })
    .check(
      oneRequired(which, (sent) => which.map((name) => sent[name]).find((value) => value !== undefined)),
    ),
  output: z.object({
    data: z.array(z.object(postback)),
    meta: z.object(postbackPage),
    success,
  }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    postback_not_found: 422,
    payment_not_found: 422,
    payout_not_found: 422,
    unknown_cursor: {
      status: 422,
      field: 'cursor',
      sentence: 'The cursor must be the next_cursor or prev_cursor of an earlier page of this list.',
    },
  },
});

const tooMany = { status: 429, message: 'Too many requests.' } as const;

/** Additive: sends one of the caller's own postbacks again, under the same id. */
export const replayPostbackRoute = route<ReplayOwnRefusal>()({
  function: 'postback-replay',
  method: 'POST',
  path: '/api/v1/postback/replay',
  summary: 'Send a postback again, under the same id',
  input: z.object({ id }),
  output: z.object({ ...postback, success }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    postback_not_found: 422,
    postback_under_way: 400,
    endpoint_paused: 400,
    too_many_requests: tooMany,
  },
});

const statuses = ['SUCCESS', 'UNDERPAID', 'OVERPAID', 'FAIL', 'DECLINED', 'CONFIRMED'] as const;
/** The check also runs on what the fields' own checks refused: their sentences are enough then. */
type Asked = { readonly kind: string; readonly status?: unknown };
const ofItsKind = z.check<Asked>(({ value: { kind, status }, issues }) => {
  const known = Object.entries(sampleStatuses).find(([name]) => name === kind)?.[1];
  const possible: readonly string[] = known ?? [];
  const asked = statuses.find((each) => each === status);
  if (!known || !asked || possible.includes(asked)) return;
  const message = `The status of a ${kind} must be one of: ${possible.join(', ')}.`;
  issues.push({ code: 'custom', path: ['status'], message, input: status });
});

/** Additive: sends a signed example to the caller's own URL. */
export const testPostbackRoute = route<TestPostbackRefusal>()({
  function: 'postback-test',
  method: 'POST',
  path: '/api/v1/postback/test',
  summary: 'Send a signed example to your own URL, and see what it answered',
  input: z
    .object({
      kind: z._default(oneOf(eventKinds), 'payment'),
      status: z.optional(oneOf(statuses)),
      shop_id: optionalId,
    })
    .check(ofItsKind),
  output: z.object({
    id: z.string(),
    url: z.string(),
    delivered: z.boolean(),
    ...postbackAttempt,
    success,
  }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    shop_not_found: 403,
    access_denied: 403,
    postback_url_missing: 400,
    too_many_requests: tooMany,
  },
});
