import type { EndpointHealth, PostAnswer } from './ports.ts';
import { type Chance, longestPauseMs } from './schedule.ts';

const second = 1000;
const hour = 60 * 60 * second;
const day = 24 * hour;

/** Failures in a row that open the breaker of an endpoint. */
export const failuresUntilOpen = 5;
const shortestOpenMs = 30 * second;
const longestOpenMs = 15 * 60 * second;
const spreadMs = 60 * second;
const pausedAfterMs = 5 * day;
/** After more silence than the schedule ever keeps a failure is a new trouble, not the old one going on. */
const forgottenAfterMs = longestPauseMs + hour;

/** A probe that died gives way to another after this long. */
export const probeLeaseMs = 60 * second;

/** Only what costs the worker time speaks against an endpoint: an answer in time, even a refusal, does not. */
export const burdensWorker = (answer: PostAnswer): boolean =>
  answer.kind === 'answered' ? answer.status >= 500 : answer.why === 'timeout' || answer.why === 'connection';

/** 30 seconds for the first opening, doubling with each failed probe up to 15 minutes. */
export const openForMs = (openings: number): number =>
  Math.min(shortestOpenMs * 2 ** openings, longestOpenMs);

/** Closed: send. Open: nothing is sent. Half open: one at a time may probe. */
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

/** The endpoint was not asked for so long that its last failures say nothing of it any more. */
export const isOldTrouble = ({ lastFailedAt }: EndpointHealth, now: Date): boolean =>
  lastFailedAt !== undefined && now.getTime() - lastFailedAt.getTime() >= forgottenAfterMs;

/** Whether the endpoint has now failed for so long that only the operator resumes it. */
export const isFailingTooLong = ({ failingSince }: EndpointHealth, now: Date): boolean =>
  failingSince !== undefined && now.getTime() - failingSince.getTime() >= pausedAfterMs;
