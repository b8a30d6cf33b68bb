import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';
import { type GroupId, type MerchantId, newGroupId } from '../ids.ts';

/** Returns the group id of a merchant's order. As a key of the table it makes the order_id unique, without expiry. */
export const groupOfOrder = (merchantId: MerchantId, orderId: string): GroupId =>
  hashed('order', merchantId, orderId);

/** Returns the group id of one automatic payout. A second run of the same hour finds the existing group. */
export const groupOfAutoRun = (merchantId: MerchantId, plannedAt: Date): GroupId =>
  hashed('auto', merchantId, plannedAt.toISOString());

function hashed(...parts: readonly string[]): GroupId {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return newGroupId((length) => base62(BigInt(`0x${hash}`), length));
}
