import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { ProviderBusy } from '../provider-port.ts';
import { type Credentials, sendWithEach } from './credentials.ts';

export type SandboxAccess = {
  /** The sandbox's base URL: `https://…/sandbox`. */
  readonly url: string;
  /** The bearer token, and the key of the notifications' signatures. `credentials` has it during its replacement as well. */
  readonly secret: string;
  readonly credentials?: Credentials<string>;
  readonly fetch?: typeof fetch;
  /** After this time the outcome is unknown, and the caller repeats the same call later. */
  readonly timeoutMs?: number;
};

type Call = {
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  readonly key?: string;
  /** Further statuses that are clear answers to this call. */
  readonly clear?: readonly number[];
};

export type SandboxAnswer = { readonly status: number; readonly body: unknown };

const usualTimeoutMs = 4000;

/** Returns the values of the shared secret that count. */
export const credentialsOf = ({ secret, credentials }: SandboxAccess): Credentials<string> =>
  credentials ?? (async () => [secret]);

/** Returns a client of the sandbox. It throws for any response that is not clear: another status, invalid JSON, a timeout. */
export const sandboxClient =
  ({ url, fetch: send = fetch, timeoutMs = usualTimeoutMs, ...access }: SandboxAccess) =>
  async (path: string, { method = 'POST', body, key, clear = [] }: Call = {}): Promise<SandboxAnswer> => {
    const sendAs = (bearer: string) =>
      send(`${url}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
    const answer = await sendWithEach(credentialsOf({ url, ...access }), { send: sendAs });
    const text = await answer.text();
    if (answer.status === 429) throw new ProviderBusy(retryAfterMs(answer.headers));
    if (![200, 404, 409, 422, ...clear].includes(answer.status))
      throw new Defect('SANDBOX_STATUS_UNEXPECTED', `the sandbox answered ${answer.status}`);
    return { status: answer.status, body: parse(text) };
  };

const retryAfterMs = (headers: Headers): number => Number(headers.get('retry-after') ?? 1) * 1000 || 1000;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Defect('SANDBOX_ANSWER_UNREADABLE', 'the response of the sandbox is not JSON');
  }
}

const refusal = z.object({ error: z.literal('not_found') });

/** Whether the 404 comes from the sandbox itself rather than from a gateway in front of it. */
export const isNotFound = ({ status, body }: SandboxAnswer): boolean =>
  status === 404 && refusal.safeParse(body).success;
