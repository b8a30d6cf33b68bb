import { Defect } from '../defect.ts';
import type { PayoutId } from '../ids.ts';
import { isContradiction, mayBeAtRail } from './acceptance.ts';
import { type AnswerPorts, escalate, isSettled, move } from './act-on-answer.ts';
import type { Destination } from './destination.ts';
import { accepted, sentOut, toBeCheckedLater } from './moves.ts';
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
 * Advances a payout by one step: sends it, or queries the rail for its outcome. A message that is repeated, late or for
 * a payout that is not due has no effect. Throws for a payout that does not exist.
 */
export async function dispatchPayout(ports: DispatchPorts, payoutId: PayoutId): Promise<void> {
  const payout = await ports.payouts.find(payoutId);
  if (!payout) throw new Defect('PAYOUT_MISSING', `Payout ${payoutId} does not exist`);
  if (payout.status !== 'NEW' && payout.status !== 'PROCESS') return;
  if (payout.dueAt > ports.now()) return;
  if (isAtAnotherRail(payout, ports.rail)) {
    return escalate(ports, payout, undefined, `sent to rail ${payout.rail}, which is not configured`);
  }
  if (payout.status === 'PROCESS' && payout.phase === 'SENT') await checkStatus(ports, payout);
  else await sendFirst(ports, payout);
}

/** Another rail would report `unknown`, and acting on that would send the payout a second time. */
const isAtAnotherRail = (payout: QueuedPayout | SentPayout, rail: PayoutRail): boolean =>
  payout.rail !== undefined && payout.rail !== rail.name && mayBeAtRail(payout);

/**
 * Sends a payout for the first time. The send is recorded before the rail is called; only one dispatcher can record
 * it, and none while the merchant, the account or the number is banned.
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
 * Sends a payout that the rail does not know again, under the same key. This is recorded first as well: a dispatcher
 * still waiting for the earlier call must not treat that call as the only one. If the merchant, the account or the
 * number is banned meanwhile, the payout is cancelled at the rail instead, which refuses calls still in flight.
 */
async function sendAgain(ports: DispatchPorts, payout: SentPayout): Promise<void> {
  const opened = await openChecked(ports, payout);
  if (!opened.ok) return refuseDestination(ports, payout);
  const { destination, numberHash = payout.numberHash } = opened.value;
  const again = { ...toBeCheckedLater(payout, ports.now(), undefined), numberHash };
  const written = await ports.payouts.releaseForSending(payout, again);
  if (written.ok) return callRail(ports, again, destination, { isOnlyCall: false });
  if (written.error !== 'moved_meanwhile')
    await settleOrCheckLater(ports, payout, await cancel(ports, payout));
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

async function checkStatus(ports: DispatchPorts, payout: SentPayout): Promise<void> {
  const view = await undefinedIfUnanswered(ports.rail.get(payout.id));
  if (isContradiction(payout, view)) return escalate(ports, payout, view, 'the rail contradicts itself');
  const isUnknown = view?.state === 'unknown';
  if (isUnknown && !isOverdue(ports, payout)) return sendAgain(ports, payout);
  await settleOrCheckLater(ports, payout, isUnknown ? await cancel(ports, payout) : view);
}

async function settleOrCheckLater(
  ports: DispatchPorts,
  payout: SentPayout,
  answer: RailView | undefined,
): Promise<void> {
  if (await isSettled(ports, payout, answer, { isOnlyCall: false })) return;
  if (isOverdue(ports, payout)) return escalate(ports, payout, answer, 'no answer for a day');
  const later = toBeCheckedLater(payout, ports.now(), answer);
  if (await move(ports, payout, later, answer)) await scheduleCheck(ports, later);
}

/** Cancels at the rail a payout that it does not know: after a day of checks, or after a ban. */
async function cancel(ports: DispatchPorts, payout: SentPayout): Promise<RailView | undefined> {
  const cancelled = await undefinedIfUnanswered(ports.rail.cancel(payout.id));
  // A tombstone: the rail will refuse calls that are still in flight.
  return cancelled?.state === 'unknown' ? { ...cancelled, state: 'refused' } : cancelled;
}

const isOverdue = ({ now }: DispatchPorts, { sentAt }: SentPayout): boolean =>
  isCheckWindowOver(sentAt, now());

const send = (
  { rail }: DispatchPorts,
  payout: SentPayout,
  destination: Destination,
): Promise<RailView | undefined> =>
  undefinedIfUnanswered(
    rail.send({
      idempotencyKey: payout.id,
      amountMinor: sentMinor(payout),
      currency: payout.amount.currency,
      destination,
    }),
  );

/** After a timeout or an error of the rail the outcome is unknown: it may have paid or not. */
const undefinedIfUnanswered = (call: Promise<RailView>): Promise<RailView | undefined> =>
  call.catch(() => undefined);

/** The stored payout was changed: nothing is sent before a person has investigated. */
const refuseDestination = (ports: DispatchPorts, payout: QueuedPayout | SentPayout): Promise<void> =>
  escalate(
    ports,
    payout,
    undefined,
    'its sealed destination is not the one that was asked for',
    'destination_mismatch',
  );

/** The longest delay of a queue message; payouts due later are queued by the sweep. */
const longestDelaySeconds = 900;

async function scheduleCheck(
  { payoutQueue, now }: DispatchPorts,
  { id, merchantId, dueAt }: SentPayout,
): Promise<void> {
  // One second late, because clocks differ.
  const delaySeconds = Math.ceil((dueAt.getTime() - now().getTime()) / 1000) + 1;
  if (delaySeconds > longestDelaySeconds) return;
  await queuePayout(payoutQueue, { id, merchantId }, delaySeconds);
}
