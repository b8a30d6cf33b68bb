const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The gaps after each failed try; the first try is made at once. When they are used up, 70 hours have passed. */
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
/** The first and one after each gap. */
export const triesInAll = gaps.length + 1;
const longestQueueDelay = 15 * minute;
/** How long a message sent with a delay may be overdue before the sweeper believes it lost. */
const lateAfter = 2 * minute;

/** A number from 0 up to, but not including, 1. */
export type Chance = () => number;

type Failure = {
  /** Failed tries so far, this one included. */
  readonly tries: number;
  /** The receiver or something before it is overloaded. */
  readonly overloaded: boolean;
  readonly retryAfterSeconds: number | undefined;
};

/**
 * Milliseconds until the next try; undefined when it was the last. ±20 % of jitter keep the postbacks of one outage
 * from coming back all at once; what the receiver asked for by Retry-After is never undercut.
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
  /** When the sweeper takes it up. */
  readonly sweepAt: Date;
  /** A queue keeps a message for 15 minutes at most; undefined: only the sweeper sends. */
  readonly delaySeconds: number | undefined;
};

/** Short waits ride on a delayed message with the sweeper behind it, long ones on the sweeper alone. */
export function nextAttemptAfter(now: Date, delayMs: number): NextAttempt {
  const at = new Date(now.getTime() + delayMs);
  if (delayMs >= longestQueueDelay) return { at, sweepAt: at, delaySeconds: undefined };
  // A message that came a moment early would find its event not yet due, so the seconds are rounded up.
  return { at, sweepAt: new Date(at.getTime() + lateAfter), delaySeconds: Math.floor(delayMs / second) + 1 };
}

/** Now, by a message, with the sweeper behind it. */
export const attemptAtOnce = (now: Date): NextAttempt => ({
  at: now,
  sweepAt: new Date(now.getTime() + lateAfter),
  delaySeconds: 0,
});
