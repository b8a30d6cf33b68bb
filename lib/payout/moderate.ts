import type { PayoutId } from '../ids.ts';
import { readSignedReason, type Signature, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import type { TermsOf } from '../merchant/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { mayBeAtRail } from './acceptance.ts';
import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { approved } from './moves.ts';
import { mayBecome, type Payout } from './payout.ts';
import type { BanRefusal, PayoutQueue, Payouts } from './ports.ts';
import { isCarriedOut } from './resolve-error.ts';
import { takingTwoPeople } from './second-person.ts';
import { queuePayout } from './queue-payout.ts';

/** A moderator's decision on the revision that was shown to them. The person's name is stored with the payout. */
type Moderation = Signature & {
  /** Undefined for text that is not a payout id. */
  readonly payoutId: PayoutId | undefined;
  readonly revision: number;
};

type ModerationRefusal = 'payout_not_found' | 'payout_not_moderating' | 'payout_changed';

type ApprovingPorts = {
  readonly payouts: Payouts;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly payoutQueue: PayoutQueue;
  readonly now: () => Date;
};

/**
 * Approves a payout: releases it for sending. An order above `secondPersonAboveMinor` of the merchant's terms requires a
 * second person (`approvedBy`).
 */
export async function approvePayout(
  ports: ApprovingPorts,
  { reason, ...moderation }: Moderation & { readonly reason?: string },
): Promise<Result<Payout, ModerationRefusal | SignedReasonRefusal | BanRefusal | 'takes_two_people'>> {
  const { payouts, payoutQueue, now } = ports;
  const signed = readSignedReason({ by: moderation.by, reason });
  if (!signed.ok) return signed;
  const { id, approvedBy, revision } = moderation;
  const payout = await find(payouts, moderation);
  if (!payout) return fail('payout_not_found');
  if (isCarriedOut(payout, id)) return ok(payout);
  if (payout.status !== 'MODERATING') return fail('payout_not_moderating');
  if (payout.revision !== revision) return fail('payout_changed');
  if (approvedBy === undefined && (await takingTwoPeople(ports, [payout])).has(payout.id))
    return fail('takes_two_people');
  const after = approved(payout, { verdict: 'approved', id, approvedBy, ...signed.value, at: now() });
  const written = await payouts.releaseForSending(payout, after);
  if (!written.ok) return fail(written.error === 'moved_meanwhile' ? 'payout_changed' : written.error);
  await queuePayout(payoutQueue, after);
  return ok(after);
}

/**
 * Declines a payout: the money is released to the balance and the merchant gets a postback. A payout released for
 * sending can be declined while no call can have reached the rail; of this and a concurrent send, one wins.
 */
export async function declinePayout(
  ports: FinishPorts,
  { reason, ...moderation }: Moderation & { readonly reason: string },
): Promise<Result<Payout, ModerationRefusal | SignedReasonRefusal | 'payout_already_sent'>> {
  const signed = readSignedReason({ by: moderation.by, reason });
  if (!signed.ok) return signed;
  const { id, approvedBy, revision } = moderation;
  const payout = await find(ports.payouts, moderation);
  if (!payout) return fail('payout_not_found');
  if (isCarriedOut(payout, id)) return ok(payout);
  if (!mayBecome(payout, 'DECLINED')) return fail('payout_not_moderating');
  if (payout.revision !== revision) return fail('payout_changed');
  if (mayBeAtRail(payout)) return fail('payout_already_sent');
  const decision = { verdict: 'declined', id, approvedBy, ...signed.value, at: ports.now() } as const;
  const declined = await finishPayout(ports, payout, 'DECLINED', { decision });
  return declined.ok ? declined : fail('payout_changed');
}

const find = async (payouts: Payouts, { payoutId }: Moderation): Promise<Payout | undefined> =>
  payoutId && payouts.find(payoutId);
