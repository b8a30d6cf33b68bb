import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';
import type { MerchantId } from '../ids.ts';

/** A group has this many base62 characters; each payout adds its part, two digits. */
export const groupIdLength = 20;

/** The id of a group's nth payout. */
export const payoutIdOf = (groupId: string, part: number): string =>
  `${groupId}${String(part).padStart(2, '0')}`;
/** Whether it looks like the id of a payout; nothing else is ever looked up. */
export const isPayoutId = (text: string): boolean => /^[0-9A-Za-z]{20}\d{2}$/.test(text);

/** The group of a merchant's order: its key in the table is what makes an order_id unique for ever. */
export const groupOfOrder = (merchantId: MerchantId, orderId: string): string =>
  hashed('order', merchantId, orderId);

/** The group of one automatic payout: a second run of the same hour finds it there. */
export const groupOfAutoRun = (merchantId: MerchantId, plannedAt: Date): string =>
  hashed('auto', merchantId, plannedAt.toISOString());

function hashed(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return base62(BigInt(`0x${hash}`), groupIdLength);
}
