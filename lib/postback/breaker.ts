import type { EndpointHealth, PostAnswer } from './ports.ts';
import { type Chance, triesInAll } from './schedule.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

/** Failures in a row that open the breaker of an endpoint. */
export const failuresUntilOpen = 5;
const shortestOpenMs = 30 * second;
const longestOpenMs = 15 * 60 * second;
const spreadMs = 60 * second;
export const pausedAfterMs = 5 * day;

/** At most one probe goes to an endpoint in this time. */
export const probeGapMs = 5 * second;

/** So many workers that wait, and no answer since the first of them: the endpoint hangs. One slow answer is none of it. */
export const waitsUntilSlow = 3;
/** For so long an endpoint that was slow is sent to by the workers of retries. */
const slowForMs = 5 * 60 * second;

export const slowUntil = (now: Date): Date => new Date(now.getTime() + slowForMs);

/** The endpoint kept a worker waiting a moment ago. */
export const isSlow = (
  { slowUntil: until, waits }: Pick<EndpointHealth, 'slowUntil' | 'waits'>,
  now: Date,
): boolean => until !== undefined && until > now && waits >= waitsUntilSlow;

/** Only what costs the worker time speaks against an endpoint: an answer in time, even a refusal, does not. */
export const burdensWorker = (answer: PostAnswer): boolean =>
  answer.kind === 'answered'
    ? answer.status >= 500
    : answer.why !== 'refused_address' && answer.why !== 'bad_url';

/** 30 seconds for the first opening, doubling with each failed probe up to 15 minutes. */
export const openForMs = (openings: number): number =>
  Math.min(shortestOpenMs * 2 ** openings, longestOpenMs);

/** Closed: send. Open: only what was never tried may probe. Half open: anything may probe. One probe in five seconds. */
type BreakerState = 'closed' | 'open' | 'half_open';

/** The state of an endpoint's breaker at this time. */
export function breakerState({ openUntil }: Pick<EndpointHealth, 'openUntil'>, now: Date): BreakerState {
  if (openUntil === undefined) return 'closed';
  return openUntil > now ? 'open' : 'half_open';
}

/** How long an event waits that found the breaker not closed; spread, so that the backlog does not return at once. */
export function waitMs({ openUntil }: Pick<EndpointHealth, 'openUntil'>, now: Date, chance: Chance): number {
  const left = Math.max((openUntil?.getTime() ?? 0) - now.getTime(), 0);
  // While another worker probes, the answer is known within a moment.
  return Math.round((left || shortestOpenMs) + spreadMs * chance());
}

/** The first wait of a new event, for which another probe left no place: until the next may be made. */
export const newcomerWaitMs = (chance: Chance): number => Math.round(probeGapMs * (1 + chance()));

/**
 * Whether only the operator resumes the endpoint from now on: nothing was delivered for five days, and tries as many as
 * one postback gets have failed. Silence between them does not count for the endpoint: a shop that sells once a week
 * would lose every postback. The tries keep one bad answer of months ago from pausing it at the next.
 */
export const isFailingTooLong = (
  { failingSince, failedTries }: Pick<EndpointHealth, 'failingSince' | 'failedTries'>,
  now: Date,
): boolean =>
  failingSince !== undefined &&
  now.getTime() - failingSince.getTime() >= pausedAfterMs &&
  failedTries >= triesInAll;
