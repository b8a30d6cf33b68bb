import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';
import type { MerchantId } from '../ids.ts';

/** Length of a group id, in base62 characters. A payout id appends its part number, two digits. */
export const groupIdLength = 20;

/** Returns the id of a group's nth payout. */
export const payoutIdOf = (groupId: string, part: number): string =>
  `${groupId}${String(part).padStart(2, '0')}`;
/** Whether the text has the shape of a payout id. Other text is `payout_not_found` without a read. */
export const isPayoutId = (text: string): boolean => /^[0-9A-Za-z]{20}\d{2}$/.test(text);

/** Returns the group id of a merchant's order. As a key of the table it makes the order_id unique, without expiry. */
export const groupOfOrder = (merchantId: MerchantId, orderId: string): string =>
  hashed('order', merchantId, orderId);

/** Returns the group id of one automatic payout. A second run of the same hour finds the existing group. */
export const groupOfAutoRun = (merchantId: MerchantId, plannedAt: Date): string =>
  hashed('auto', merchantId, plannedAt.toISOString());

function hashed(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return base62(BigInt(`0x${hash}`), groupIdLength);
}
