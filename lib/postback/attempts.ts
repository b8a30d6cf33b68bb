import type { Attempt } from './event.ts';

/** As many attempts of a postback as its history has. */
export const maxStored = 12;
/** Outcomes of skipped attempts. Consecutive equal ones share one entry, or they would displace the real attempts. */
const skips = ['breaker_open', 'awaits_payment', 'interrupted'];
/** Outcomes in the history that are not responses of the receiver. */
const notResponses = [...skips, 'endpoint_paused', 'replay'];

/** Returns the history entry of an attempt that sent nothing, or nothing yet (`outcome` undefined). */
export const notMade = (at: Date, outcome: string | undefined): Attempt => ({
  at,
  outcome,
  ms: undefined,
  answer: undefined,
});

/** Returns the history with the attempt appended, limited to the latest twelve. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const { outcome } = attempt;
  const repeats = outcome !== undefined && skips.includes(outcome) && history.at(-1)?.outcome === outcome;
  return [...(repeats ? history.slice(0, -1) : history), attempt].slice(-maxStored);
}

/** Returns the attempt with the receiver's last response; skips, pauses and replays are ignored. Undefined without one. */
export const lastAnswer = (history: readonly Attempt[]): Attempt | undefined =>
  history.findLast(({ outcome }) => outcome !== undefined && !notResponses.includes(outcome));

/** Whether the open breaker deferred this postback most recently. */
export const wasDeferred = (history: readonly Attempt[]): boolean =>
  history.at(-1)?.outcome === 'breaker_open';
