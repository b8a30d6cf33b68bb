import { createHmac } from 'node:crypto';

/**
 * Returns a keyed hash: equal for equal data, and useless to a reader of the table. Card numbers are few enough to
 * reverse an unkeyed hash, so the key is a secret that only payout creation, the dispatcher and the operator's
 * account commands can read.
 */
export const keyedHash = (secret: string, ...parts: readonly string[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
