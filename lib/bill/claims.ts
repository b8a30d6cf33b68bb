import { createHash } from 'node:crypto';
import { nothingLeft } from '../nothing-left.ts';
import type { MerchantId, ShopId } from '../ids.ts';
import type { Bill } from './bill.ts';
import type { Claim, ClaimKey } from './ports.ts';

type Keys = {
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly orderId: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** Returns the claims of a bill request, the idempotency key first because it binds more strictly than an order. */
export function claimKeys({ merchantId, shopId, orderId, idempotencyKey }: Keys): readonly ClaimKey[] {
  const keys: ClaimKey[] = [];
  if (idempotencyKey !== undefined)
    keys.push({ kind: 'idempotency', merchantId, scope: 'bill/create', key: idempotencyKey });
  if (orderId !== undefined) keys.push({ kind: 'order', merchantId, scope: shopId, key: orderId });
  return keys;
}

export function claimsOn(keys: readonly ClaimKey[], bill: Bill): readonly Claim[] {
  const fingerprint = fingerprintOf(bill);
  const withoutItems = bill.items && fingerprintOf({ ...bill, items: undefined });
  return keys.map((key) => ({ ...key, fingerprint, withoutItems }));
}

/** Fields that are not part of a request, or are equal in all requests that share a claim. A hash of a contact would be personal data. */
type NotRequested = 'id' | 'merchantId' | 'status' | 'active' | 'hasContact' | 'createdAt' | 'expiresAt';

/** Returns a hash that is equal for two requests for the same bill, however their amounts were spelled. */
function fingerprintOf(bill: Omit<Bill, NotRequested>): string {
  const { shopId, amount, type, payerPaysCommission, orderId, description, name, custom, items, ...rest } =
    bill;
  nothingLeft(rest);
  const matters = [
    shopId,
    amount.minor.toString(),
    amount.currency,
    type,
    payerPaysCommission,
    orderId,
    description,
    name,
    custom,
    // Appended only when present: a request from before this field existed has the same fingerprint.
    ...(items
      ? [items.map((item) => [item.name, item.priceMinor.toString(), item.quantity, item.category])]
      : []),
  ];
  // Absent and empty differ for `custom`; JSON keeps them apart (null and "").
  return createHash('sha256').update(JSON.stringify(matters)).digest('hex');
}
