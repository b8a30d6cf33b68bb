import { createHash } from 'node:crypto';
import type { Bill } from './bill.ts';
import type { Claim, ClaimKey } from './ports.ts';

type Keys = {
  readonly merchantId: string;
  readonly shopId: string;
  readonly orderId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** The claims that a request for a bill lays: the header's first, for it binds more strictly than an order. */
export function claimKeys({ merchantId, shopId, orderId, idempotencyKey }: Keys): readonly ClaimKey[] {
  const keys: ClaimKey[] = [];
  if (idempotencyKey !== undefined)
    keys.push({ kind: 'idempotency', merchantId, scope: 'bill/create', key: idempotencyKey });
  if (orderId !== undefined) keys.push({ kind: 'order', merchantId, scope: shopId, key: orderId });
  return keys;
}

export function claimsOn(keys: readonly ClaimKey[], bill: Bill): readonly Claim[] {
  const fingerprint = fingerprintOf(bill);
  return keys.map((key) => ({ ...key, fingerprint }));
}

/** Equal for two bills that ask the same of the same payer, however their amounts were spelled. */
function fingerprintOf(bill: Bill): string {
  const matters = [
    bill.shopId,
    bill.amount.minor.toString(),
    bill.amount.currency,
    bill.type,
    bill.payerPaysCommission,
    bill.orderId,
    bill.description,
    bill.name,
    bill.custom,
  ];
  // Absent and empty differ for `custom`; JSON keeps them apart (null and "").
  return createHash('sha256').update(JSON.stringify(matters)).digest('hex');
}
