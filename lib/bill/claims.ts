import { createHash } from 'node:crypto';
import { nothingLeft } from '../nothing-left.ts';
import type { MerchantId, ShopId } from '../ids.ts';
import type { Bill } from './bill.ts';
import { type BillOptions, noOptions } from './options.ts';
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
  return keys.map((key) => ({ ...key, fingerprint }));
}

/** What a request asks for. Its `options` are all that are readable, also those that this shop cannot honour. */
export type Requested = Omit<Bill, NotRequested>;

/**
 * Whether an earlier request asked for the same bill, by the fingerprint of the bill that it made. The request is the same when it has all
 * that the fingerprint covers, and its items and options may be more: then the first one was sent to a version that did not know them, or
 * to a shop that could not honour them. And it is the same when the shop can honour less than then.
 */
export function isSameRequest(requested: Requested, fingerprint: string): boolean {
  const { items, options } = requested;
  const counted = { ...options, locale: undefined };
  const names = Object.entries(counted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return subsetsOf(names).some((left) => {
    const fewer = { ...requested, options: { ...noOptions, ...counted, ...left } };
    return (
      fingerprintOf(fewer) === fingerprint ||
      (items !== undefined && fingerprintOf({ ...fewer, items: undefined }) === fingerprint)
    );
  });
}

/** Returns each subset of the names as what it removes. None removed is the first. At most six names, so 64 subsets. */
const subsetsOf = (names: readonly string[]): readonly Readonly<Record<string, undefined>>[] =>
  names.reduce<readonly Readonly<Record<string, undefined>>[]>(
    (subsets, name) => [...subsets, ...subsets.map((subset) => ({ ...subset, [name]: undefined }))],
    [{}],
  );

/** Fields that are not part of a request, or are equal in all requests that share a claim. A hash of a contact would be personal data. */
type NotRequested = 'id' | 'merchantId' | 'status' | 'active' | 'hasContact' | 'createdAt' | 'expiresAt';

/** Returns a hash that is equal for two requests for the same bill, however their amounts were spelled. */
function fingerprintOf(bill: Requested): string {
  const { shopId, amount, type, payerPaysCommission, orderId, description, name, custom, ...others } = bill;
  const { items, options = noOptions, ...rest } = others;
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
    // Appended only when present: a request from before these fields existed has the same fingerprint.
    ...(items
      ? [items.map((item) => [item.name, item.priceMinor.toString(), item.quantity, item.category])]
      : []),
    ...countedOptions(options),
  ];
  // Absent and empty differ for `custom`; JSON keeps them apart (null and "").
  return createHash('sha256').update(JSON.stringify(matters)).digest('hex');
}

/** The language is how a bill is shown, not what it is. */
function countedOptions({
  locale: _,
  ...options
}: BillOptions): readonly Readonly<Record<string, unknown>>[] {
  const { ttlSeconds, method, successUrl, failUrl, returnUrl, asks, ...rest } = options;
  nothingLeft(rest);
  const counted = { ttlSeconds, method, successUrl, failUrl, returnUrl, asks };
  return Object.values(counted).some((value) => value !== undefined) ? [counted] : [];
}
