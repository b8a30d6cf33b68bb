import type { PayoutId } from '../ids.ts';
import { postingOf, returnEntry } from './payout-postings.ts';
import { readSignedReason, type Signature, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { returned } from './moves.ts';
import type { Payout } from './payout.ts';
import type { Payouts } from './ports.ts';
import { isCarriedOut } from './resolve-error.ts';

type Ports = { readonly payouts: Payouts; readonly now: () => Date };
type Command = Signature & {
  /** Undefined for text that is not a payout id. */
  readonly payoutId: PayoutId | undefined;
  readonly revision: number;
  readonly evidence: string;
};

type ReturnRefusal = 'payout_not_found' | 'payout_not_paid' | 'payout_changed' | 'takes_two_people';

/**
 * Records that the rail returned a paid amount, which can happen once. No rail confirms it and the money goes back to
 * the merchant's balance, so it requires two people. The status does not change.
 */
export async function recordReturn(
  { payouts, now }: Ports,
  { payoutId, revision, evidence, ...signature }: Command,
): Promise<Result<Payout, ReturnRefusal | SignedReasonRefusal>> {
  const signed = readSignedReason({ by: signature.by, reason: evidence });
  if (!signed.ok) return signed;
  const payout = payoutId && (await payouts.find(payoutId));
  if (!payout) return fail('payout_not_found');
  if (isCarriedOut(payout, signature.id)) return ok(payout);
  if (payout.status !== 'SUCCESS') return fail('payout_not_paid');
  if (payout.decisions.some(({ verdict }) => verdict === 'returned')) return fail('payout_not_paid');
  if (payout.revision !== revision) return fail('payout_changed');
  if (signature.approvedBy === undefined) return fail('takes_two_people');
  const at = now();
  const { id, approvedBy } = signature;
  const after = returned(payout, { verdict: 'returned', id, approvedBy, ...signed.value, at });
  const written = await payouts.recordReturn(payout, after, returnEntry(postingOf(payout, at)));
  return written.ok ? ok(after) : fail('payout_changed');
}
