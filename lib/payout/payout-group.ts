import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';
import { type GroupId, type MerchantId, newGroupId } from '../ids.ts';
import type { PayoutCurrency } from './payout.ts';

/** What the payouts of one request share. It is written with them and never changed. */
export type PayoutGroup = {
  readonly groupId: GroupId;
  /** Of the request: a repetition has the same one. */
  readonly fingerprint: string;
  readonly merchantId: MerchantId;
  readonly currency: PayoutCurrency;
  readonly orderId: string | undefined;
  readonly createdAt: Date;
};

/** An `Idempotency-Key` of a merchant, hashed, and the group of the request that it was first sent with. */
export type PayoutClaim = {
  readonly merchantId: MerchantId;
  readonly keyHash: string;
  readonly groupId: GroupId;
  readonly fingerprint: string;
  readonly expiresAt: Date;
};

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
