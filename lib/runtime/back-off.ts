import { setTimeout as wait } from 'node:timers/promises';
import type { BackOff } from '../store/table.ts';
import { remainingMs, requestHandler } from './deadlines.ts';

/** How long one call to the store is retried: less than the 10 s timeout of the functions that a merchant waits for. */
const longestCallMs = 7_000;
/** Time reserved for the last attempt and the response, out of the function's remaining time. */
const lastAttemptMs = requestHandler.requestTimeout + 500;
const firstPauseMs = 25;
const longestPauseMs = 500;

/**
 * Exponential backoff with full jitter: each pause is random between zero and a bound that doubles. Callers that collided spread
 * out, so of many that wait for one item about one arrives in the time that a transaction locks it.
 */
export const backOff: BackOff = () => {
  const until = performance.now() + Math.min(longestCallMs, remainingMs() - lastAttemptMs);
  return async (retry) => {
    const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** retry);
    if (performance.now() + pauseMs >= until) return false;
    await wait(pauseMs);
    return true;
  };
};
