import type { Attempt } from './event.ts';

const kept = 12;
/** Outcomes of attempts that were not made; a row of the same takes one place, or it would push out the real ones. */
const skips = ['breaker_open', 'interrupted'];

/** The history with one attempt more, at most twelve of the latest. */
export function withAttempt(history: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const { outcome } = attempt;
  const repeats = outcome !== undefined && skips.includes(outcome) && history.at(-1)?.outcome === outcome;
  return [...(repeats ? history.slice(0, -1) : history), attempt].slice(-kept);
}
