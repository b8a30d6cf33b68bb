import type { BillId, MerchantId, PaymentId, RefundId, ShopId } from '../ids.ts';
import type { Result } from '../result.ts';
import type { Bill } from './bill.ts';
import type { SealedContact } from './contact.ts';

/** Identifies the record of what an `order_id` or `Idempotency-Key` was last used for; the key is stored hashed. */
export type ClaimKey = {
  readonly kind: 'order' | 'idempotency';
  readonly merchantId: MerchantId;
  readonly scope: string;
  readonly key: string;
};

/** A key with a hash of the fields that make two requests the same (`isSameRequest`). */
export type Claim = ClaimKey & {
  readonly fingerprint: string;
};

export type ClaimedBill = { readonly billId: BillId; readonly fingerprint: string };

/** Without a shop the query covers all shops of the merchant. */
export type OrderQuery = {
  readonly merchantId: MerchantId;
  readonly orderId: string;
  readonly shopId: ShopId | undefined;
};

export interface Bills {
  find(id: BillId): Promise<Bill | undefined>;
  /** The bill that was created last under the merchant's `order_id`, in any of their shops unless one is named. */
  findNewestOfOrder(query: OrderQuery): Promise<Bill | undefined>;
  /** What each claim points at, in the order of `claims`. */
  findClaims(claims: readonly ClaimKey[]): Promise<readonly (ClaimedBill | undefined)[]>;
  /**
   * Writes the bill and its contact, points its claims at it and makes it the newest of its order, all or nothing.
   * `seen` is the result of findClaims: when a claim has changed since, nothing is written.
   */
  create(
    bill: Bill,
    claims: readonly Claim[],
    seen: readonly (ClaimedBill | undefined)[],
    contact?: SealedContact,
    /** Of the merchant's lists; absent: one. */
    shards?: number,
  ): Promise<Result<void, 'claimed_meanwhile'>>;
  /** Points claims at an existing bill, under the same condition as `create`. */
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

export interface Contacts {
  /** The contact of the bill, or the own contact of one of its payments or refunds; undefined when there is none or it has been erased. */
  find(billId: BillId, ownerId?: PaymentId | RefundId): Promise<SealedContact | undefined>;
  /** The contacts of these bills. */
  findAll(billIds: readonly BillId[]): Promise<ReadonlyMap<BillId, SealedContact>>;
}
