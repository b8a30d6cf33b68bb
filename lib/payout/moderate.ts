import { fail, ok, type Result } from '../result.ts';
import { type ConcludingPorts, conclude } from './conclude.ts';
import { approved } from './moves.ts';
import type { Payout } from './payout.ts';
import { isPayoutId } from './payout-id.ts';
import type { PayoutQueue, Payouts } from './ports.ts';

/** What a moderator decides, about the payout as it was shown to him. */
export type Decision = {
  readonly payoutId: string;
  readonly revision: number;
  /** The person's name, kept with the payout. */
  readonly by: string;
};

export type DecisionRefusal = 'payout_not_found' | 'payout_not_moderating' | 'payout_changed';

type ApprovingPorts = {
  readonly payouts: Payouts;
  readonly payoutQueue: PayoutQueue;
  readonly now: () => Date;
};

/** U2: lets a payout go to the dispatcher. */
export async function approvePayout(
  { payouts, payoutQueue, now }: ApprovingPorts,
  { reason, ...decision }: Decision & { readonly reason?: string | undefined },
): Promise<Result<Payout, DecisionRefusal | 'merchant_banned'>> {
  const found = await decidedOn(payouts, decision);
  if (!found.ok) return found;
  const after = approved(found.value, { verdict: 'approved', by: decision.by, reason, at: now() });
  const written = await payouts.approve(found.value, after);
  if (!written.ok) return fail(written.error === 'merchant_banned' ? 'merchant_banned' : 'payout_changed');
  // A lost message costs only the time until the next sweep.
  await Promise.allSettled([payoutQueue.send(after.id, { group: after.merchantId })]);
  return ok(after);
}

/** U3: the money goes back to the balance, and the merchant is told. */
export async function declinePayout(
  ports: ConcludingPorts,
  { reason, ...decision }: Decision & { readonly reason: string },
): Promise<Result<Payout, DecisionRefusal>> {
  const found = await decidedOn(ports.payouts, decision);
  if (!found.ok) return found;
  const ruling = { verdict: 'declined', by: decision.by, reason, at: ports.now() } as const;
  const declined = await conclude(ports, found.value, 'DECLINED', { ruling });
  return declined.ok ? declined : fail('payout_changed');
}

async function decidedOn(
  payouts: Payouts,
  { payoutId, revision }: Decision,
): Promise<Result<Payout, DecisionRefusal>> {
  const payout = isPayoutId(payoutId) ? await payouts.find(payoutId) : undefined;
  if (!payout) return fail('payout_not_found');
  if (payout.status !== 'MODERATING') return fail('payout_not_moderating');
  return payout.revision === revision ? ok(payout) : fail('payout_changed');
}
