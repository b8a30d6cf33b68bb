import type { EndpointHealth, PostAnswer } from './ports.ts';
import { type Chance, triesInAll } from './schedule.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

/** Consecutive failures that open the breaker of an endpoint. */
export const failuresUntilOpen = 5;
const shortestOpenMs = 30 * second;
const longestOpenMs = 15 * 60 * second;
const spreadMs = 60 * second;
export const pausedAfterMs = 5 * day;

/** Minimum time between two probes of an endpoint. */
export const probeGapMs = 5 * second;

/** Slow attempts without a response in between that mark an endpoint as slow. One slow response does not. */
export const waitsUntilSlow = 3;
/** How long the retry workers take over the first attempts of a slow endpoint. */
const slowForMs = 5 * 60 * second;

export const slowUntil = (now: Date): Date => new Date(now.getTime() + slowForMs);

/** Whether the endpoint kept enough workers waiting recently. */
export const isSlow = (
  { slowUntil: until, waits }: Pick<EndpointHealth, 'slowUntil' | 'waits'>,
  now: Date,
): boolean => until !== undefined && until > now && waits >= waitsUntilSlow;

/** Whether the attempt counts for the breaker: 5xx and failed connections do, other responses and blocked URLs do not. */
export const burdensWorker = (answer: PostAnswer): boolean =>
  answer.kind === 'answered'
    ? answer.status >= 500
    : answer.why !== 'refused_address' && answer.why !== 'bad_url';

/** Returns how long the breaker opens: 30 seconds at first, doubling with each failed probe up to 15 minutes. */
export const openForMs = (openings: number): number =>
  Math.min(shortestOpenMs * 2 ** openings, longestOpenMs);

/** Closed: send. Open: only events never tried may probe. Half-open: any event may. At most one probe in five seconds. */
type BreakerState = 'closed' | 'open' | 'half_open';

/** Returns the state of an endpoint's breaker at this time. */
export function breakerState({ openUntil }: Pick<EndpointHealth, 'openUntil'>, now: Date): BreakerState {
  if (openUntil === undefined) return 'closed';
  return openUntil > now ? 'open' : 'half_open';
}

/** Returns the wait of an event deferred by the breaker, with jitter, so that the backlog does not return at once. */
export function waitMs({ openUntil }: Pick<EndpointHealth, 'openUntil'>, now: Date, chance: Chance): number {
  const left = Math.max((openUntil?.getTime() ?? 0) - now.getTime(), 0);
  // Half-open: another worker is probing, and the result is known soon.
  return Math.round((left || shortestOpenMs) + spreadMs * chance());
}

/** Returns the first wait of a new event that may not probe because another just did: until the next probe is allowed. */
export const newcomerWaitMs = (chance: Chance): number => Math.round(probeGapMs * (1 + chance()));

/**
 * Whether to pause the endpoint until the operator resumes it: nothing was delivered for five days, and as many tries
 * as one postback gets have failed. Time without postbacks counts towards the five days, or a shop that sells once a
 * week would lose every postback. The number of tries prevents a pause after two failures that are months apart.
 */
export const isFailingTooLong = (
  { failingSince, failedTries }: Pick<EndpointHealth, 'failingSince' | 'failedTries'>,
  now: Date,
): boolean =>
  failingSince !== undefined &&
  now.getTime() - failingSince.getTime() >= pausedAfterMs &&
  failedTries >= triesInAll;
