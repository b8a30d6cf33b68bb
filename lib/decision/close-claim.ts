import type { Balances } from '../ledger/balance.ts';
import {
  type Claim,
  claimEntry,
  type ClaimMove,
  type Claims,
  isClosedClaim,
  movedClaim,
} from '../ledger/claim.ts';
import {
  readPersonName,
  readSignedReason,
  type Signature,
  type SignedReasonRefusal,
} from '../ledger/signed-reason.ts';
import { smallest } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

export type ClaimPorts = {
  readonly now: () => Date;
  readonly balances: Balances;
  readonly claims: Claims;
};
type Command = { readonly claimId: string; readonly id: string; readonly by: string };
type ClaimRefusal = 'claim_not_found' | 'claim_is_closed';

/**
 * Collects what is owed from the merchant's balance, up to what is available. One person may: two have confirmed the amount,
 * and the money can go nowhere else. When claim or balance change meanwhile, both are read again.
 */
export async function collectClaim(
  ports: ClaimPorts,
  { claimId, id, by: named }: Command,
): Promise<Result<Claim, ClaimRefusal | 'person_invalid' | 'nothing_available'>> {
  const by = readPersonName(named);
  if (by === undefined) return fail('person_invalid');
  return closeOnce(ports, { claimId, id }, async (claim) => {
    const own = await ports.balances.of(claim.merchantId);
    const { available = 0n } = own.find(({ currency }) => currency === claim.amount.currency) ?? {};
    const minor = smallest(claim.openMinor, available);
    if (minor <= 0n) return fail('nothing_available');
    return { id, kind: 'collected', minor, by, approvedBy: undefined, reason: undefined, at: ports.now() };
  });
}

/** Writes off what is still owed, which takes two people: the platform bears it. It is never more than both people saw. */
export async function writeOffClaim(
  ports: ClaimPorts,
  {
    claimId,
    approvedBy,
    ...signature
  }: Command & Signature & { readonly id: string; readonly reason: string },
): Promise<Result<Claim, ClaimRefusal | SignedReasonRefusal | 'takes_two_people'>> {
  const { id } = signature;
  const signed = readSignedReason(signature);
  if (!signed.ok) return signed;
  return closeOnce(ports, { claimId, id }, async ({ openMinor: minor }) => {
    if (approvedBy === undefined) return fail('takes_two_people');
    return { id, kind: 'written_off', minor, approvedBy, ...signed.value, at: ports.now() };
  });
}

/** Reads the claim and closes part of it, again after a conflict. A decision that is carried out again has no further effect. */
async function closeOnce<R extends string>(
  { claims }: ClaimPorts,
  { claimId, id }: Pick<Command, 'claimId' | 'id'>,
  next: (claim: Claim) => Promise<ClaimMove | Result<never, R>>,
): Promise<Result<Claim, ClaimRefusal | R>> {
  const attempt = async (): Promise<Result<Claim, ClaimRefusal | R> | typeof conflict> => {
    const claim = await claims.find(claimId);
    if (!claim) return fail('claim_not_found');
    if (claim.moves.some((move) => move.id === id)) return ok(claim);
    if (isClosedClaim(claim)) return fail('claim_is_closed');
    const move = await next(claim);
    if (!('minor' in move)) return move;
    const after = movedClaim(claim, move);
    return (await claims.move(claim, after, claimEntry(after, move))).ok ? ok(after) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The claim or the merchant’s balance') });
}
