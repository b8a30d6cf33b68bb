import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { type Bill, whyNotPayable } from './bill.ts';
import type { SealedContact } from './contact.ts';
import { claimsOn } from './claims.ts';
import type { Bills, Claim, ClaimedBill, ClaimKey } from './ports.ts';

type Ports = { readonly bills: Bills; readonly now: () => Date };
type Seen = readonly (ClaimedBill | undefined)[];

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
  { bill, contact }: { readonly bill: Bill; readonly contact: SealedContact | undefined },
  keys: readonly ClaimKey[],
  firstSeen: Seen,
): Promise<Result<OnceCreated, 'idempotency_key_reused'>> {
  const claims = claimsOn(keys, bill);
  let seen = firstSeen;
  const attempt = async (): Promise<Result<OnceCreated, 'idempotency_key_reused'> | typeof conflict> => {
    if (isReused(claims, seen)) return fail('idempotency_key_reused');
    const earlier = await earlierBill(ports, claims, seen);
    const written = earlier
      ? await bindKey(ports, earlier, claims, seen)
      : await ports.bills.create(bill, claims, seen, contact);
    if (written.ok) return ok({ bill: earlier ?? bill, replayed: earlier !== undefined });
    seen = await ports.bills.findClaims(keys);
    return conflict;
  };
  return retryOnConflict(attempt, { rounds, exhausted: tooManyConflicts('The claim on a bill') });
}

/** Whether an `Idempotency-Key` comes with other data, which is the caller's mistake; an order's data may change. */
const isReused = (claims: readonly Claim[], seen: Seen): boolean =>
  claims.some(
    (claim, at) => claim.kind === 'idempotency' && seen[at] !== undefined && !isSame(claim, seen[at]),
  );

const isSame = ({ fingerprint, withoutItems }: Claim, claimed: ClaimedBill): boolean =>
  claimed.fingerprint === fingerprint || claimed.fingerprint === withoutItems;

async function earlierBill(
  { bills, now }: Ports,
  claims: readonly Claim[],
  seen: Seen,
): Promise<Bill | undefined> {
  for (const [at, claim] of claims.entries()) {
    const { kind } = claim;
    const claimed = seen[at];
    if (!claimed || !isSame(claim, claimed)) continue;
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
