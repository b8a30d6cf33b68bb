import { setTimeout as wait } from 'node:timers/promises';

/** Waits before a transaction that met another is tried again: with jitter, so that those who met do not meet again. */
export const backOff = (retry: number): Promise<void> =>
  wait(10 + Math.random() * Math.min(190, 20 * 2 ** retry));
