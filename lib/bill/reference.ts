import { createHash } from 'node:crypto';
import type { BillId, MerchantId, ShopId } from '../ids.ts';

/**
 * What finds a bill by a merchant's own text: an order's claim, the pointer at its newest bill, one of its bills, or an `Idempotency-Key`. The text is stored
 * hashed.
 */
export type BillReference = {
  readonly of: 'order' | 'newest' | 'order_bill' | 'key';
  readonly merchantId: MerchantId;
  /** Undefined where all shops share it: an `Idempotency-Key`, and the bills of an order. */
  readonly shopId: ShopId | undefined;
  /** `referenceHash` of the order id or key. */
  readonly hash: string;
  readonly billId: BillId;
  /** Undefined: it is retained as long as its bill. */
  readonly expiresAt: Date | undefined;
};

/** Keys contain order ids and idempotency keys only as hashes. */
export const referenceHash = (text: string): string => createHash('sha256').update(text).digest('base64url');
