import { returnEntry } from '../ledger/payout-postings.ts';
import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { postingOf } from './finish-payout.ts';
import { returned } from './moves.ts';
import type { Payout } from './payout.ts';
import { isPayoutId } from './payout-id.ts';
import type { Payouts } from './ports.ts';

type Ports = { readonly payouts: Payouts; readonly now: () => Date };
type Command = { readonly payoutId: string; readonly by: string; readonly evidence: string };

type ReturnRefusal = 'payout_not_found' | 'payout_not_paid' | 'payout_changed';

/** U9, as the operator records it: the rail gave back what it had paid, which it can do once. The status stays, the money is the merchant's again. */
export async function recordReturn(
  { payouts, now }: Ports,
  { payoutId, by, evidence }: Command,
): Promise<Result<Payout, ReturnRefusal | SignedReasonRefusal>> {
  const signed = readSignedReason({ by, reason: evidence });
  if (!signed.ok) return signed;
  const payout = isPayoutId(payoutId) ? await payouts.find(payoutId) : undefined;
  if (!payout) return fail('payout_not_found');
  if (payout.status !== 'SUCCESS') return fail('payout_not_paid');
  if (payout.decisions.some(({ verdict }) => verdict === 'returned')) return fail('payout_not_paid');
  const at = now();
  const after = returned(payout, { verdict: 'returned', ...signed.value, at });
  const written = await payouts.recordReturn(payout, after, returnEntry(postingOf(payout, at)));
  return written.ok ? ok(after) : fail('payout_changed');
}
