import { fail, ok, type Result } from '../result.ts';
import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { approved } from './moves.ts';
import type { Payout } from './payout.ts';
import { isPayoutId } from './payout-id.ts';
import type { PayoutQueue, Payouts } from './ports.ts';

/** What a moderator decides, about the payout as it was shown to them. */
type Moderation = {
  readonly payoutId: string;
  readonly revision: number;
  /** The person's name, kept with the payout. */
  readonly by: string;
};

type ModerationRefusal = 'payout_not_found' | 'payout_not_moderating' | 'payout_changed';

type ApprovingPorts = {
  readonly payouts: Payouts;
  readonly payoutQueue: PayoutQueue;
  readonly now: () => Date;
};

/** U2: lets a payout go to the dispatcher. */
export async function approvePayout(
  { payouts, payoutQueue, now }: ApprovingPorts,
  { reason, ...moderation }: Moderation & { readonly reason?: string | undefined },
): Promise<Result<Payout, ModerationRefusal | 'merchant_banned'>> {
  const found = await findModerating(payouts, moderation);
  if (!found.ok) return found;
  const after = approved(found.value, { verdict: 'approved', by: moderation.by, reason, at: now() });
  const written = await payouts.approve(found.value, after);
  if (!written.ok) return fail(written.error === 'merchant_banned' ? 'merchant_banned' : 'payout_changed');
  // A lost message costs only the time until the next sweep.
  await Promise.allSettled([payoutQueue.send(after.id, { group: after.merchantId })]);
  return ok(after);
}

/** U3: the money goes back to the balance, and the merchant is told. */
export async function declinePayout(
  ports: FinishPorts,
  { reason, ...moderation }: Moderation & { readonly reason: string },
): Promise<Result<Payout, ModerationRefusal>> {
  const found = await findModerating(ports.payouts, moderation);
  if (!found.ok) return found;
  const decision = { verdict: 'declined', by: moderation.by, reason, at: ports.now() } as const;
  const declined = await finishPayout(ports, found.value, 'DECLINED', { decision });
  return declined.ok ? declined : fail('payout_changed');
}

async function findModerating(
  payouts: Payouts,
  { payoutId, revision }: Moderation,
): Promise<Result<Payout, ModerationRefusal>> {
  const payout = isPayoutId(payoutId) ? await payouts.find(payoutId) : undefined;
  if (!payout) return fail('payout_not_found');
  if (payout.status !== 'MODERATING') return fail('payout_not_moderating');
  return payout.revision === revision ? ok(payout) : fail('payout_changed');
}
