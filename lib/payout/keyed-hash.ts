import { createHmac } from 'node:crypto';

/**
 * A keyed hash of what matters: equal for equal data, and of no use to whoever reads the table. Card numbers are so
 * few that an unkeyed hash would give them away, so the key is a secret that only payout creation and the
 * dispatcher read, and the operator who stores an account.
 */
export const keyedHash = (secret: string, ...parts: readonly string[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
