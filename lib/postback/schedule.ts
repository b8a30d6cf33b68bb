const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The gaps after each failed try; the first try is made at once. They add up to 70 hours. */
const gaps = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
];
const longestRetryAfter = 24 * hour;
const jitter = 0.2;
const overloadedFactor = 2;
/** The first try and one after each gap. */
export const triesInAll = gaps.length + 1;
const longestQueueDelay = 15 * minute;
/** How long a delayed message may be overdue before the sweeper considers it lost. */
const lateAfter = 2 * minute;

/** Returns a random number from 0 up to, but not including, 1. */
export type Chance = () => number;

type Failure = {
  /** Failed tries so far, this one included. */
  readonly tries: number;
  /** The receiver or a proxy in front of it is overloaded. */
  readonly overloaded: boolean;
  readonly retryAfterSeconds: number | undefined;
};

/**
 * Returns the milliseconds until the next try; undefined after the last one. ±20 % of jitter spreads the postbacks of
 * one outage. The delay is never shorter than Retry-After, up to a day.
 */
export function delayAfter(failure: Failure, chance: Chance): number | undefined {
  const gap = gaps[failure.tries - 1];
  if (gap === undefined) return undefined;
  const spread = gap * (failure.overloaded ? overloadedFactor : 1) * (1 - jitter + 2 * jitter * chance());
  const asked = Math.min((failure.retryAfterSeconds ?? 0) * second, longestRetryAfter);
  return Math.round(Math.max(spread, asked));
}

/** When an event is tried again, and whether a message or the sweeper starts it. */
export type NextAttempt = {
  readonly at: Date;
  /** When the sweeper queues it. */
  readonly sweepAt: Date;
  /** A queue can delay a message for 15 minutes at most; undefined: only the sweeper queues it. */
  readonly delaySeconds: number | undefined;
};

/** Schedules a short wait by a delayed message with the sweeper as fallback, a long one by the sweeper alone. */
export function nextAttemptAfter(now: Date, delayMs: number): NextAttempt {
  const at = new Date(now.getTime() + delayMs);
  if (delayMs >= longestQueueDelay) return { at, sweepAt: at, delaySeconds: undefined };
  // Rounded up: a message received early would find its event not yet due.
  return { at, sweepAt: new Date(at.getTime() + lateAfter), delaySeconds: Math.floor(delayMs / second) + 1 };
}

/** Schedules an attempt now, by a message with the sweeper as fallback. */
export const attemptAtOnce = (now: Date): NextAttempt => ({
  at: now,
  sweepAt: new Date(now.getTime() + lateAfter),
  delaySeconds: 0,
});
