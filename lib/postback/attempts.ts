import type { Attempt } from './event.ts';

const kept = 12;
/** Outcomes of attempts that were not made; a row of the same takes one place, or it would push out the real ones. */
const skips = ['breaker_open', 'interrupted'];
/** What stands in the history beside what the receiver said. */
const asides = [...skips, 'endpoint_paused', 'replay'];

/** The entry for an attempt that sent nothing, or nothing yet (`outcome` undefined). */
export const notMade = (at: Date, outcome: string | undefined): Attempt => ({
  at,
  outcome,
  ms: undefined,
  answer: undefined,
});

/** The history with one attempt more, at most twelve of the latest. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const { outcome } = attempt;
  const repeats = outcome !== undefined && skips.includes(outcome) && history.at(-1)?.outcome === outcome;
  return [...(repeats ? history.slice(0, -1) : history), attempt].slice(-kept);
}

/** What the receiver said last, whatever else has happened to the postback since; undefined before it said anything. */
export const lastAnswer = (history: readonly Attempt[]): Attempt | undefined =>
  history.findLast(({ outcome }) => outcome !== undefined && !asides.includes(outcome));

/** The breaker has made this postback wait since it was last sent. */
export const wasPutOff = (history: readonly Attempt[]): boolean => history.at(-1)?.outcome === 'breaker_open';
