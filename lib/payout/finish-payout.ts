import type { Entry } from '../ledger/entry.ts';
import { postingOf, releaseEntry, settleEntry } from './payout-postings.ts';
import type { Merchants, Opener, Sealer } from '../merchant/ports.ts';
import { payoutEventId, type PostbackEvent } from '../postback/event.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import { queueEvent } from '../postback/queue-event.ts';
import { sealPhone } from '../postback/sealed-phone.ts';
import { ok, type Result } from '../result.ts';
import { finished, type Why } from './moves.ts';
import type { FinalPayout, OpenPayout, PayoutBefore } from './payout.ts';
import { payoutEvent } from './payout-postback.ts';
import type { MoveRefusal, Payouts } from './ports.ts';
import { openAsShown } from './sealed-destination.ts';
import type { FinalStatus } from './states.ts';

export type FinishPorts = {
  readonly payouts: Payouts;
  readonly merchants: Pick<Merchants, 'find'>;
  /** Decrypts under the destination key, which no function of the API may use for that. */
  readonly destinationOpener: Opener;
  /** Seals the phone of a payout postback, which the delivery worker alone decrypts. */
  readonly phoneSealer: Sealer;
  readonly postbackQueue: Pick<PostbackQueue, 'send'>;
  readonly now: () => Date;
};

/** Settles, fails or declines a payout: final state, journal entry and postback event in one transaction, once. */
export async function finishPayout<S extends FinalStatus>(
  ports: FinishPorts,
  before: PayoutBefore<S>,
  status: S,
  why: Why,
): Promise<Result<FinalPayout, MoveRefusal>> {
  const after = finished(before, status, why);
  const at = ports.now();
  const event = await eventFor(ports, before, after, at);
  const written = await ports.payouts.finish(before, after, { entry: entryFor(after, at), event });
  if (!written.ok) return written;
  if (event) await queueEvent(ports.postbackQueue, event);
  return ok(after);
}

function entryFor(payout: FinalPayout, at: Date): Entry {
  const posting = postingOf(payout, at);
  return payout.status === 'SUCCESS' ? settleEntry(posting) : releaseEntry(posting);
}

/** Undefined for a merchant without a payout webhook (contract 6.2). */
async function eventFor(
  ports: FinishPorts,
  before: OpenPayout,
  after: FinalPayout,
  at: Date,
): Promise<PostbackEvent | undefined> {
  const merchant = await ports.merchants.find(after.merchantId);
  if (!merchant?.payoutWebhookUrl) return undefined;
  const phone = await phoneOf(ports, before);
  const id = payoutEventId(after.id, after.status);
  return payoutEvent(after, phone && (await sealPhone(ports.phoneSealer, id, phone)), at);
}

/** Returns the phone that the postback must show in full; undefined for a card, and where it cannot be verified. */
async function phoneOf({ destinationOpener }: FinishPorts, payout: OpenPayout): Promise<string | undefined> {
  if (payout.accountType === 'credit_card') return undefined;
  const destination = await openAsShown(destinationOpener, payout);
  return destination?.type === 'sbp' ? destination.phone : undefined;
}
