import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { type Bill, whyNotPayable } from './bill.ts';
import type { SealedContact } from './contact.ts';
import { claimsOn, isSameRequest, type Requested } from './claims.ts';
import type { Bills, Claim, ClaimedBill, ClaimKey } from './ports.ts';

type Ports = { readonly bills: Bills; readonly now: () => Date };
type Seen = readonly (ClaimedBill | undefined)[];
type NewBill = {
  readonly bill: Bill;
  readonly contact: SealedContact | undefined;
  /** What was asked for, by which an earlier request is recognized as the same. */
  readonly requested: Requested;
  /** Of the merchant's lists. */
  readonly shards: number | undefined;
};

/** `replayed`: nothing was created, an earlier request created the bill. */
export type OnceCreated = { readonly bill: Bill; readonly replayed: boolean };

/** Rounds of a race for one order. One request wins each, so only as many rivals with other data could exhaust them. */
const rounds = 50;

/**
 * Creates the bill unless an earlier request with the same claims created it already (client idempotency):
 * an `Idempotency-Key` always returns its bill, an `order_id` returns an identical bill while it can still be paid.
 * Of concurrent requests one creates the bill and the others return it.
 */
export async function createOnce(
  ports: Ports,
  { bill, contact, shards, requested }: NewBill,
  keys: readonly ClaimKey[],
  firstSeen: Seen,
): Promise<Result<OnceCreated, 'idempotency_key_reused'>> {
  const claims = claimsOn(keys, bill);
  let seen = firstSeen;
  const attempt = async (): Promise<Result<OnceCreated, 'idempotency_key_reused'> | typeof conflict> => {
    if (isReused(requested, claims, seen)) return fail('idempotency_key_reused');
    const earlier = await earlierBill(ports, requested, claims, seen);
    const written = earlier
      ? await bindKey(ports, earlier, claims, seen)
      : await ports.bills.create(bill, claims, seen, contact, shards);
    if (written.ok) return ok({ bill: earlier ?? bill, replayed: earlier !== undefined });
    seen = await ports.bills.findClaims(keys);
    return conflict;
  };
  return retryOnConflict(attempt, { rounds, exhausted: tooManyConflicts('The claim on a bill') });
}

/** Whether an `Idempotency-Key` comes with other data, which is the caller's mistake; an order's data may change. */
const isReused = (requested: Requested, claims: readonly Claim[], seen: Seen): boolean =>
  claims.some(
    ({ kind }, at) =>
      kind === 'idempotency' && seen[at] !== undefined && !isSameRequest(requested, seen[at].fingerprint),
  );

async function earlierBill(
  { bills, now }: Ports,
  requested: Requested,
  claims: readonly Claim[],
  seen: Seen,
): Promise<Bill | undefined> {
  for (const [at, { kind }] of claims.entries()) {
    const claimed = seen[at];
    if (!claimed || !isSameRequest(requested, claimed.fingerprint)) continue;
    const bill = await bills.find(claimed.billId);
    if (bill && (kind === 'idempotency' || whyNotPayable(bill, now()) === undefined)) return bill;
  }
  return undefined;
}

/** Binds a new idempotency key to the open bill of its order, so that the key returns this bill from now on. */
async function bindKey(
  { bills }: Ports,
  bill: Bill,
  claims: readonly Claim[],
  seen: Seen,
): Promise<Result<void, 'claimed_meanwhile'>> {
  const [first] = claims;
  if (first?.kind !== 'idempotency' || seen[0] !== undefined) return ok(undefined);
  return bills.claim(bill.id, [first], [undefined]);
}
