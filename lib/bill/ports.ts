import type { BillId, MerchantId, ShopId } from '../ids.ts';
import type { Result } from '../result.ts';
import type { Bill } from './bill.ts';

/** Where it is kept what a merchant's `order_id` or `Idempotency-Key` was last used for; the key is stored hashed. */
export type ClaimKey = {
  readonly kind: 'order' | 'idempotency';
  readonly merchantId: MerchantId;
  readonly scope: string;
  readonly key: string;
};

/** A key with a hash of the request's data as far as it matters. */
export type Claim = ClaimKey & { readonly fingerprint: string };

export type ClaimedBill = { readonly billId: BillId; readonly fingerprint: string };

/** Without a shop: over all shops of the merchant. */
export type OrderQuery = {
  readonly merchantId: MerchantId;
  readonly orderId: string;
  readonly shopId: ShopId | undefined;
};

export interface Bills {
  find(id: BillId): Promise<Bill | undefined>;
  /** The bill that was created last under the merchant's `order_id`; of two shops' the one that was made later. */
  findNewestOfOrder(query: OrderQuery): Promise<Bill | undefined>;
  /** What each claim last pointed at, in the order asked. */
  findClaims(claims: readonly ClaimKey[]): Promise<readonly (ClaimedBill | undefined)[]>;
  /**
   * Writes the bill, moves its claims to it and makes it the newest of its order, all or nothing.
   * `seen` is what findClaims answered: another answer meanwhile is a refusal, and nothing is written.
   */
  create(
    bill: Bill,
    claims: readonly Claim[],
    seen: readonly (ClaimedBill | undefined)[],
  ): Promise<Result<void, 'claimed_meanwhile'>>;
  /** Points claims at a bill that exists already; otherwise like `create`. */
  claim(
    billId: BillId,
    claims: readonly Claim[],
    seen: readonly (ClaimedBill | undefined)[],
  ): Promise<Result<void, 'claimed_meanwhile'>>;
  setActive(command: {
    readonly merchantId: MerchantId;
    readonly billId: BillId;
    readonly active: boolean;
  }): Promise<Result<Bill, 'bill_not_found' | 'bill_is_finished'>>;
}
