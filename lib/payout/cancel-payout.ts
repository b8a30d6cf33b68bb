import type { MerchantId } from '../ids.ts';
import type { Merchants, Resealer } from '../merchant/ports.ts';
import { SealBroken } from '../merchant/seal-broken.ts';
import { payoutEventId, type PostbackEvent } from '../postback/event.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import { queueEvent } from '../postback/queue-event.ts';
import { resealPhone } from '../postback/sealed-phone.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { mayBeAtRail } from './acceptance.ts';
import { getPayout, type GetPayoutRefusal, type PayoutQuery } from './get-payout.ts';
import { finished } from './moves.ts';
import {
  type Decision,
  type FinalPayout,
  mayBecome,
  merchantSigner,
  type OpenPayout,
  type Payout,
  type PayoutBefore,
} from './payout.ts';
import { payoutEvent } from './payout-postback.ts';
import { postingOf, releaseEntry } from './payout-postings.ts';
import type { FinishedPayout, MoveRefusal, Payouts } from './ports.ts';
import { contextOf } from './sealed-destination.ts';

export type CancelPorts = {
  readonly payouts: Pick<Payouts, 'find' | 'findGroup' | 'declineTogether'>;
  readonly merchants: Pick<Merchants, 'find'>;
  /** A destination is never opened here: the phone of a postback is sealed again out of it. */
  readonly destinationResealer: Resealer;
  readonly postbackQueue: Pick<PostbackQueue, 'send'>;
  readonly now: () => Date;
};

/** `transaction_rejected`: a part may have been sent, or has ended otherwise than DECLINED. */
export type CancelRefusal = GetPayoutRefusal | 'transaction_rejected';

type Parts = readonly [Payout, ...Payout[]];

/**
 * Cancels a payout, or all parts of an order, for its merchant: DECLINED, the money is released, and a postback is sent. All parts or
 * none, in one transaction, and only while no call for any of them can have reached the rail. Repeating it changes nothing. Of this and
 * a concurrent send or decision, one wins.
 */
export async function cancelPayout(
  ports: CancelPorts,
  query: PayoutQuery,
): Promise<Result<Parts, CancelRefusal>> {
  const attempt = async (): Promise<Result<Parts, CancelRefusal> | typeof conflict> => {
    const found = await getPayout(ports, query);
    if (!found.ok) return found;
    const open = found.value.filter(({ status }) => status !== 'DECLINED');
    const neverSent = open.filter(isNeverSent);
    if (neverSent.length < open.length) return fail('transaction_rejected');
    const cancelled = await declineAll(ports, neverSent);
    if (!cancelled.ok) return conflict;
    const [first, ...others] = found.value;
    const asCancelled = (part: Payout): Payout => cancelled.value.find(({ id }) => id === part.id) ?? part;
    return ok([asCancelled(first), ...others.map(asCancelled)]);
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('A payout that is cancelled') });
}

const isNeverSent = (payout: Payout): payout is PayoutBefore<'DECLINED'> =>
  mayBecome(payout, 'DECLINED') && !mayBeAtRail(payout);

async function declineAll(
  ports: CancelPorts,
  parts: readonly PayoutBefore<'DECLINED'>[],
): Promise<Result<readonly Payout[], MoveRefusal>> {
  const [first, ...others] = parts;
  if (!first) return ok([]);
  const at = ports.now();
  const merchant = await ports.merchants.find(first.merchantId);
  const decline = async (before: PayoutBefore<'DECLINED'>): Promise<FinishedPayout> => {
    const after = finished(before, 'DECLINED', { decision: cancelledBy(before.merchantId, at) });
    // Contract 6.2: no postback without a payout webhook.
    const event = merchant?.payoutWebhookUrl ? await eventOf(ports, before, after, at) : undefined;
    return { before, after, entry: releaseEntry(postingOf(after, at)), event };
  };
  const [one, ...rest] = await Promise.all([decline(first), ...others.map(decline)]);
  const written = await ports.payouts.declineTogether([one, ...rest]);
  if (!written.ok) return written;
  const declined = [one, ...rest];
  const events = declined.flatMap(({ event }) => (event ? [event] : []));
  await Promise.all(events.map((event) => queueEvent(ports.postbackQueue, event)));
  return ok(declined.map(({ after }) => after));
}

const cancelledBy = (merchantId: MerchantId, at: Date): Decision => ({
  verdict: 'declined',
  id: undefined,
  by: merchantSigner(merchantId),
  approvedBy: undefined,
  reason: 'cancelled through the API',
  at,
});

/** The postback of a declined payout. Its phone is that of the destination, sealed again for this event without being opened. */
async function eventOf(
  { destinationResealer }: CancelPorts,
  before: OpenPayout,
  after: FinalPayout,
  at: Date,
): Promise<PostbackEvent> {
  const context = before.accountType === 'sbp' ? contextOf(before) : undefined;
  if (!context) return payoutEvent(after, undefined, at);
  const id = payoutEventId(after.id, after.status);
  const { sealed } = before.destination;
  const phone = await resealPhone(destinationResealer, id, sealed, context).catch((error: unknown) => {
    // As when a moderator declines it: a destination that is not the payout's leaves the mask in the postback.
    if (error instanceof SealBroken) return undefined;
    throw error;
  });
  return payoutEvent(after, phone, at);
}
