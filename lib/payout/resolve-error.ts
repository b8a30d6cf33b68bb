import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { askedAgain } from './moves.ts';
import type { Decision, Payout } from './payout.ts';
import { isPayoutId } from './payout-id.ts';
import type { PayoutQueue, Payouts } from './ports.ts';

/**
 * `ask`: have the rail asked again; what it once accepted is not sent again, nor is anything for who is banned. `paid`, `failed`: what the person found out elsewhere, with the
 * evidence.
 */
export const errorOutcomes = ['ask', 'paid', 'failed'] as const;
export type ErrorOutcome = (typeof errorOutcomes)[number];

type ErrorResolution = {
  readonly payoutId: string;
  readonly revision: number;
  readonly outcome: ErrorOutcome;
  readonly by: string;
  /** Where the outcome is known from: the provider's letter, the statement's line. Kept with the payout. */
  readonly evidence: string;
};

type ResolutionRefusal = 'payout_not_found' | 'payout_not_in_error' | 'payout_changed';

type Ports = FinishPorts & { readonly payoutQueue: PayoutQueue };

/** U8: the only way out of ERROR. */
export async function resolveError(
  ports: Ports,
  resolution: ErrorResolution,
): Promise<Result<Payout, ResolutionRefusal | SignedReasonRefusal>> {
  const { payoutId, revision, outcome } = resolution;
  const signed = readSignedReason({ by: resolution.by, reason: resolution.evidence });
  if (!signed.ok) return signed;
  const payout = isPayoutId(payoutId) ? await ports.payouts.find(payoutId) : undefined;
  if (!payout) return fail('payout_not_found');
  if (payout.status !== 'ERROR') return fail('payout_not_in_error');
  if (payout.revision !== revision) return fail('payout_changed');

  const decision = { verdict: verdicts[outcome], ...signed.value, at: ports.now() };
  const resolved =
    outcome === 'ask'
      ? await askAgain(ports, payout, decision)
      : await finishPayout(ports, payout, outcome === 'paid' ? 'SUCCESS' : 'FAIL', { decision });
  return resolved.ok ? resolved : fail('payout_changed');
}

const verdicts = { ask: 'asked_again', paid: 'paid', failed: 'failed' } as const;

async function askAgain(
  { payouts, payoutQueue }: { readonly payouts: Payouts; readonly payoutQueue: PayoutQueue },
  payout: Payout,
  decision: Decision,
) {
  const after = askedAgain(payout, decision);
  const written = await payouts.move(payout, after);
  if (!written.ok) return written;
  await Promise.allSettled([payoutQueue.send(after.id, { group: after.merchantId })]);
  return ok(after);
}
