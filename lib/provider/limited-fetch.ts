import * as z from 'zod/mini';
import { kindOf, type Log } from '../log.ts';
import { type CallLimits, ProviderBusy, type ProviderCalls } from '../provider-port.ts';
import { bodyWithin } from './body-within.ts';
import { retryAfterSeconds } from './retry-after.ts';

type Limiter = {
  /** The provider's name. All its adapters share one limiter in a process, and `calls` over all functions. */
  readonly provider: string;
  readonly limits: CallLimits;
  readonly calls: ProviderCalls;
  readonly now: () => Date;
  readonly delay: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly fetch: typeof fetch;
};

/** How long a call waits for its turn before it is refused. */
const patienceMs = 2_000;
/** A 429 that does not say for how long. */
const usualPauseMs = 1_000;
/** What a provider's `retry_after` can stop us for at most. */
const longestPauseMs = 60_000;
const largestError = 64 * 1024;

/**
 * Returns `fetch` within the provider's limits: at most `atOnce` calls of this process, and `perSecond` over all functions. After
 * a 429 no function calls the provider until its `retry_after` is over. A call waits up to two seconds for its turn; after
 * that it throws `ProviderBusy`, and nothing was sent. So it does when its own deadline is over before its turn. When the table cannot be reached the call is sent: the provider's own
 * limit is then the only one.
 */
export function limitedFetch({
  provider,
  limits,
  calls,
  now,
  delay,
  log,
  fetch: send,
}: Limiter): typeof fetch {
  let pausedUntil = 0;
  const enter = places(limits.atOnce);

  async function turn(): Promise<void> {
    const patientUntil = now().getTime() + patienceMs;
    for (;;) {
      const waitMs = await waitFor();
      if (waitMs === 0) return;
      if (now().getTime() + waitMs > patientUntil) throw new ProviderBusy(waitMs);
      await delay(waitMs);
    }
  }

  async function waitFor(): Promise<number> {
    const at = now();
    if (pausedUntil > at.getTime()) return pausedUntil - at.getTime();
    try {
      return await calls.take(provider, { perSecond: limits.perSecond, now: at });
    } catch (error) {
      log('error', 'provider_calls_not_counted', { ...kindOf(error), provider });
      return 0;
    }
  }

  async function pause(answer: Response): Promise<void> {
    const until = new Date(now().getTime() + (await pauseMsOf(answer, now())));
    pausedUntil = until.getTime();
    log('info', 'provider_paused', { provider });
    await calls
      .pause(provider, until)
      .catch((error: unknown) => log('error', 'provider_calls_not_counted', { ...kindOf(error), provider }));
  }

  return async (...request) => {
    const signal = request[1]?.signal ?? undefined;
    const leave = await enter(signal);
    try {
      await turn();
      // Without this the call would fail as one without an answer, although nothing was sent.
      if (signal?.aborted) throw new ProviderBusy(usualPauseMs);
      const answer = await send(...request);
      if (answer.status === 429) await pause(answer);
      return answer;
    } finally {
      leave();
    }
  };
}

/** Lets `most` callers in at once; each calls the returned function when it is done. One whose deadline is over waits no longer. */
function places(most: number): (deadline: AbortSignal | undefined) => Promise<() => void> {
  const waiting = new Set<() => void>();
  let inside = 0;
  const leave = (): void => {
    const [next] = waiting;
    if (next) next();
    else inside -= 1;
  };
  const wait = (deadline: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(go);
        reject(new ProviderBusy(usualPauseMs));
      };
      const go = () => {
        waiting.delete(go);
        deadline?.removeEventListener('abort', giveUp);
        resolve();
      };
      if (deadline?.aborted) return giveUp();
      waiting.add(go);
      deadline?.addEventListener('abort', giveUp, { once: true });
    });
  return async (deadline) => {
    if (inside < most) inside += 1;
    else await wait(deadline);
    return leave;
  };
}

/** YooKassa says it in the body in milliseconds, others in the header in seconds (RFC 6585, 4). */
const errorBody = z.object({ retry_after: z.number() });

async function pauseMsOf(answer: Response, now: Date): Promise<number> {
  const said = await bodyWithin(answer.clone(), largestError)
    .then((text = '') => errorBody.safeParse(JSON.parse(text)).data?.retry_after)
    .catch(() => undefined);
  const seconds = retryAfterSeconds(answer.headers.get('retry-after') ?? undefined, now);
  const pauseMs = said ?? (seconds === undefined ? usualPauseMs : seconds * 1000);
  return Math.min(Math.max(pauseMs, 1), longestPauseMs);
}
