import { Defect } from '../defect.ts';
import { isContradiction, mayBeAtRail } from './acceptance.ts';
import { type AnswerPorts, escalate, isSettled, move } from './act-on-answer.ts';
import type { Destination } from './destination.ts';
import { accepted, sentOut, toBeAskedLater } from './moves.ts';
import { type QueuedPayout, type SentPayout, sentMinor } from './payout.ts';
import type { PayoutQueue, PayoutRail, RailView } from './ports.ts';
import { type CheckPorts, openChecked } from './sealed-destination.ts';
import { isCheckWindowOver } from './status-checks.ts';
import { stopPayout } from './stop-payout.ts';
import { queuePayout } from './queue-payout.ts';

export type DispatchPorts = AnswerPorts &
  CheckPorts & {
    readonly rail: PayoutRail;
    readonly payoutQueue: PayoutQueue;
  };

/**
 * Takes a payout one step further: sends it, or asks the rail what became of it. Any message may come twice, late or
 * for a payout that needs nothing: then nothing is done. Throws for a payout that does not exist.
 */
export async function dispatchPayout(ports: DispatchPorts, payoutId: string): Promise<void> {
  const payout = await ports.payouts.find(payoutId);
  if (!payout) throw new Defect('PAYOUT_MISSING', `Payout ${payoutId} does not exist`);
  if (payout.status !== 'NEW' && payout.status !== 'PROCESS') return;
  if (payout.dueAt > ports.now()) return;
  if (isAtAnotherRail(payout, ports.rail)) {
    return escalate(ports, payout, undefined, `sent to rail ${payout.rail}, which is not configured`);
  }
  if (payout.status === 'PROCESS' && payout.phase === 'SENT') await ask(ports, payout);
  else await sendFirst(ports, payout);
}

/** Another rail has never heard of it: believed, its `unknown` would have the payout sent a second time. */
const isAtAnotherRail = (payout: QueuedPayout | SentPayout, rail: PayoutRail): boolean =>
  payout.rail !== undefined && payout.rail !== rail.name && mayBeAtRail(payout);

/**
 * U4: that it is being sent is written down before the rail hears of it, only one dispatcher can write it, and nobody
 * for a merchant or an account that is banned by then.
 */
async function sendFirst(ports: DispatchPorts, payout: QueuedPayout): Promise<void> {
  const opened = await openChecked(ports, payout);
  if (!opened.ok) return refuseDestination(ports, payout);
  const { destination, numberHash = payout.numberHash } = opened.value;
  const sent = { ...sentOut(payout, ports.now(), ports.rail.name), numberHash };
  const written = await ports.payouts.releaseForSending(payout, sent);
  if (written.ok) return callRail(ports, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });
  if (written.error !== 'moved_meanwhile') await stopPayout(ports, payout, written.error);
}

/**
 * What the rail never heard of is sent again under the same key. This is written first, too: whoever still waits for
 * the answer to the call before cannot take it for the only one any more. Not for who is banned by now: the rail is told
 * to refuse whatever is on its way.
 */
async function sendAgain(ports: DispatchPorts, payout: SentPayout): Promise<void> {
  const opened = await openChecked(ports, payout);
  if (!opened.ok) return refuseDestination(ports, payout);
  const { destination, numberHash = payout.numberHash } = opened.value;
  const again = { ...toBeAskedLater(payout, ports.now(), undefined), numberHash };
  const written = await ports.payouts.releaseForSending(payout, again);
  if (written.ok) return callRail(ports, again, destination, { isOnlyCall: false });
  if (written.error !== 'moved_meanwhile') await settleOrAskLater(ports, payout, await cancel(ports, payout));
}

async function callRail(
  ports: DispatchPorts,
  sent: SentPayout,
  destination: Destination,
  call: { readonly isOnlyCall: boolean },
): Promise<void> {
  const view = await send(ports, sent, destination);
  if (isContradiction(sent, view)) return escalate(ports, sent, view, 'the rail contradicts itself');
  if (await isSettled(ports, sent, view, call)) return;
  if (view?.state === 'accepted') await move(ports, sent, accepted(sent, view), view);
  await scheduleCheck(ports, sent);
}

async function ask(ports: DispatchPorts, payout: SentPayout): Promise<void> {
  const view = await nothingIfUnanswered(ports.rail.get(payout.id));
  if (isContradiction(payout, view)) return escalate(ports, payout, view, 'the rail contradicts itself');
  const isUnknown = view?.state === 'unknown';
  if (isUnknown && !isOverdue(ports, payout)) return sendAgain(ports, payout);
  await settleOrAskLater(ports, payout, isUnknown ? await cancel(ports, payout) : view);
}

async function settleOrAskLater(
  ports: DispatchPorts,
  payout: SentPayout,
  answer: RailView | undefined,
): Promise<void> {
  if (await isSettled(ports, payout, answer, { isOnlyCall: false })) return;
  if (isOverdue(ports, payout)) return escalate(ports, payout, answer, 'no answer for a day');
  const later = toBeAskedLater(payout, ports.now(), answer);
  if (await move(ports, payout, later, answer)) await scheduleCheck(ports, later);
}

/** What the rail has not heard of, for a day or of somebody who is banned, is cancelled there. */
async function cancel(ports: DispatchPorts, payout: SentPayout): Promise<RailView | undefined> {
  const cancelled = await nothingIfUnanswered(ports.rail.cancel(payout.id));
  // A tombstone: whatever is still on its way there will be refused.
  return cancelled?.state === 'unknown' ? { ...cancelled, state: 'refused' } : cancelled;
}

const isOverdue = ({ now }: DispatchPorts, { sentAt }: SentPayout): boolean =>
  isCheckWindowOver(sentAt, now());

const send = (
  { rail }: DispatchPorts,
  payout: SentPayout,
  destination: Destination,
): Promise<RailView | undefined> =>
  nothingIfUnanswered(
    rail.send({
      idempotencyKey: payout.id,
      amountMinor: sentMinor(payout),
      currency: payout.amount.currency,
      destination,
    }),
  );

/** A rail that times out or fails has told nothing: neither that it paid nor that it did not. */
const nothingIfUnanswered = (call: Promise<RailView>): Promise<RailView | undefined> =>
  call.catch(() => undefined);

/** Somebody changed what is stored of it: nothing is sent before a person knows how. */
const refuseDestination = (ports: DispatchPorts, payout: QueuedPayout | SentPayout): Promise<void> =>
  escalate(
    ports,
    payout,
    undefined,
    'its sealed destination is not the one that was asked for',
    'destination_mismatch',
  );

/** The longest that the queue can hold a message back; what is due later is left to the sweep. */
const longestDelaySeconds = 900;

async function scheduleCheck(
  { payoutQueue, now }: DispatchPorts,
  { id, merchantId, dueAt }: SentPayout,
): Promise<void> {
  // A second more than due, because clocks differ.
  const delaySeconds = Math.ceil((dueAt.getTime() - now().getTime()) / 1000) + 1;
  if (delaySeconds > longestDelaySeconds) return;
  await queuePayout(payoutQueue, { id, merchantId }, delaySeconds);
}
