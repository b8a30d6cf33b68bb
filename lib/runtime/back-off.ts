import { setTimeout as wait } from 'node:timers/promises';
import type { BackOff } from '../store/table.ts';
import { remainingMs, requestHandler } from './deadlines.ts';

/** For so long one call to the store is tried again: under the 10 s of the functions that a merchant waits for. */
const longestCallMs = 7_000;
/** What the last attempt and the answer may take of the time that the function has left. */
const lastAttemptMs = requestHandler.requestTimeout + 500;
const firstPauseMs = 25;
const longestPauseMs = 500;

/**
 * "Full jitter": each pause is drawn from zero up to a bound that doubles, so that those who met do not meet again, and
 * of many who wait for one item about one comes in the time that it is locked.
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
