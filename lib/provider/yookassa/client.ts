import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import { ProviderBusy } from '../../provider-port.ts';
import { bodyWithin } from '../body-within.ts';
import { type Credentials, sendWithEach } from '../credentials.ts';
import { wordsOf } from './words.ts';

/** HTTP Basic: a shop's id and secret key, or a payout gateway's. */
export type YookassaCredentials = { readonly id: string; readonly secretKey: string };

export type YookassaAccess = {
  /** The base URL, which ends in `/v3`. */
  readonly apiUrl: string;
  readonly credentials: Credentials<YookassaCredentials>;
  readonly fetch?: typeof fetch;
  /** Real money: an answer with an object of a test shop or a test gateway is an error, as anybody can pay there. */
  readonly live?: boolean;
  /** After this time the outcome is unknown, and the same call is repeated later. */
  readonly timeoutMs?: number;
};

type Call =
  | { readonly method: 'GET'; readonly query?: Readonly<Record<string, string>> }
  | { readonly method: 'POST'; readonly key: string; readonly body: object };

/** `refused`: a documented refusal with the provider's own error body. The call was certainly not carried out. */
export type YookassaAnswer =
  | { readonly kind: 'done'; readonly body: unknown }
  | {
      readonly kind: 'refused';
      /** 401 and 403 concern our credentials and rights, 404 an object, every other status the request. */
      readonly about: 'us' | 'missing' | 'request';
      /** The provider's code, parameter and description, for the operator. */
      readonly outcome: string;
      /** The field that the provider refuses. */
      readonly parameter: string | undefined;
    };

export type YookassaCall = (path: string, call: Call) => Promise<YookassaAnswer>;

/** The statuses by which the API refuses a call. Another one, such as 408, may come from between us and the API. */
const refusals: readonly number[] = [400, 401, 403, 404, 405, 415];

const usualTimeoutMs = 8000;
/** A page of a list has a hundred objects of some kilobytes. */
const largestAnswer = 16 * 1024 * 1024;
/** A 429 without `retry_after`. */
const usualRetryMs = 1000;
const longestRetryMs = 60_000;

const errorBody = z.object({
  type: z.literal('error'),
  code: z.optional(z.string()),
  description: z.optional(z.string()),
  parameter: z.optional(z.string()),
  retry_after: z.optional(z.number()),
});
type ErrorBody = z.infer<typeof errorBody>;

/**
 * Returns a client of the YooKassa API. Outcomes, by the provider's interaction rules (yookassa.ru/developers/using-api/
 * response-handling): 200 is done; a refusal was not carried out; 429 was not either, and is thrown as `ProviderBusy`. After a 500,
 * another status, no answer, or an answer that is not the API's (a gateway's page, invalid JSON), the outcome is unknown, and the
 * call throws.
 */
export function yookassaClient(access: YookassaAccess): YookassaCall {
  const { apiUrl, credentials, fetch: send = fetch, timeoutMs = usualTimeoutMs, live = false } = access;
  const sendAs = async (given: YookassaCredentials, path: string, call: Call) => {
    const answer = await send(`${apiUrl}/${path}${queryOf(call)}`, {
      method: call.method,
      headers: {
        authorization: `Basic ${Buffer.from(`${given.id}:${given.secretKey}`).toString('base64')}`,
        ...(call.method === 'POST' && {
          'content-type': 'application/json',
          'idempotence-key': checkedKey(call.key),
        }),
      },
      ...(call.method === 'POST' && { body: JSON.stringify(call.body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.status, body: parsed(await bodyWithin(answer, largestAnswer)) };
  };

  return async (path, call) => {
    const { status, body } = await sendWithEach(credentials, {
      // A payment of one shop is unknown at another.
      isSameAccount: (current, other) => current.id === other.id,
      send: (given) => sendAs(given, path, call),
    });
    if (status === 200) {
      if (live && isOfTestShop(body))
        throw new Defect('YOOKASSA_TEST_SHOP', 'The secret is that of a test shop or a test gateway');
      return { kind: 'done', body };
    }
    const error = errorBody.safeParse(body).data;
    if (status === 429) throw new ProviderBusy(pauseOf(error));
    if (!error || !refusals.includes(status)) throw unknown(status);
    // The key was used with another body, so that an earlier call may have been carried out.
    if (/^idempotence-key$/i.test(error.parameter ?? '')) throw unknown(status);
    return refusal(status, error);
  };
}

const testObject = z.object({ test: z.literal(true) });
const listOfSome = z.object({ items: z.array(z.unknown()) });

/** Whether an object, or one of a list, is a test operation. */
function isOfTestShop(body: unknown): boolean {
  const items = listOfSome.safeParse(body).data?.items ?? [];
  return [body, ...items].some((each) => testObject.safeParse(each).success);
}

const unknown = (status: number): Defect =>
  new Defect('YOOKASSA_OUTCOME_UNKNOWN', `YooKassa answered ${status}: whether it acted is unknown`);

function refusal(status: number, error: ErrorBody): YookassaAnswer {
  const about = [401, 403].includes(status) ? 'us' : status === 404 ? 'missing' : 'request';
  return { kind: 'refused', about, outcome: outcomeOf(status, error), parameter: error.parameter };
}

/** For example `invalid_request receipt: Receipt is missing or illegal`. */
function outcomeOf(status: number, { code, parameter, description }: ErrorBody): string {
  const named = [code ?? `http_${status}`, parameter].filter((part) => part !== undefined).join(' ');
  return wordsOf(description === undefined ? named : `${named}: ${description}`);
}

const pauseOf = (error: ErrorBody | undefined): number =>
  Math.min(Math.max(error?.retry_after ?? usualRetryMs, 1), longestRetryMs);

/** Undefined for an answer that is too large, as for one that is no JSON. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function queryOf(call: Call): string {
  if (call.method !== 'GET' || !call.query) return '';
  return `?${new URLSearchParams(call.query).toString()}`;
}

/** The provider's pattern has a range `+-_` by accident, which also takes `:`. Only what it means to take is sent. */
function checkedKey(key: string): string {
  if (!/^[0-9A-Za-z._-]{1,64}$/.test(key))
    throw new Defect('YOOKASSA_KEY_MALFORMED', 'An idempotency key has another shape than YooKassa takes');
  return key;
}

/** Reads an answer by its schema. An answer of another shape leaves the outcome unknown. */
export function readAnswer<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = z.safeParse(schema, body);
  if (!read.success)
    throw new Defect('YOOKASSA_ANSWER_UNREADABLE', 'The answer of YooKassa has another shape than its API');
  return read.data;
}

/** The body of a call that the provider never refuses for a reason of ours; a refusal leaves us without an answer. */
export function doneBody(answer: YookassaAnswer): unknown {
  if (answer.kind === 'done') return answer.body;
  throw answer.about === 'us'
    ? new Defect('YOOKASSA_CREDENTIALS_REFUSED', 'YooKassa refuses our credentials, or a right is missing')
    : new Defect('YOOKASSA_CALL_REFUSED', 'YooKassa refuses a call that it should answer');
}
