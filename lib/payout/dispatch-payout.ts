import { Defect } from '../defect.ts';
import type { PayoutId } from '../ids.ts';
import { isContradiction, mayBeAtRail, wasAccepted } from './acceptance.ts';
import { type AnswerPorts, escalate, isSettled, move } from './act-on-answer.ts';
import { askRail, type Answered } from './ask-rail.ts';
import type { Destination } from './destination.ts';
import { acceptedAfterItsEnd } from './late-answer.ts';
import { accepted, queuedAgain, sentAgain, sentOut, toBeCheckedAt, toBeCheckedLater } from './moves.ts';
import type { OpenPayout, QueuedPayout, SentPayout } from './payout.ts';
import type { PayoutQueue, PayoutRail, Rails, RailView } from './ports.ts';
import { type CheckPorts, openChecked } from './sealed-destination.ts';
import { isCheckWindowOver, isKeyAlive } from './status-checks.ts';
import { stopPayout } from './stop-payout.ts';
import { queuePayout } from './queue-payout.ts';
import { firstCallOf, transferOf } from './transfer.ts';

export type DispatchPorts = AnswerPorts &
  CheckPorts & {
    readonly rails: Rails;
    readonly payoutQueue: PayoutQueue;
  };

/** The ports with the payout's own rail. */
type RailPorts = DispatchPorts & { readonly rail: PayoutRail };

/**
 * Advances a payout by one step: sends it, or queries the rail for its outcome. A message that is repeated, late or for
 * a payout that is not due has no effect. Throws for a payout that does not exist.
 */
export async function dispatchPayout(ports: DispatchPorts, payoutId: PayoutId): Promise<void> {
  const payout = await ports.payouts.find(payoutId);
  if (!payout) throw new Defect('PAYOUT_MISSING', `Payout ${payoutId} does not exist`);
  if (payout.status !== 'NEW' && payout.status !== 'PROCESS') return;
  if (payout.dueAt > ports.now()) return;
  if (payout.rail !== undefined && mayBeAtRail(payout)) {
    const rail = ports.rails.named(payout.rail);
    return rail ? advance({ ...ports, rail }, payout) : strandedAt(ports, payout, payout.rail);
  }
  const rail = ports.rails.forNew(payout.accountType);
  if (rail) return advance({ ...ports, rail }, payout);
  // It waits: the sweep queues it again until the record names a rail for its account type.
  alarmAfterADay(ports, payout);
}

/** A payout that waits to be sent is checked by nobody: after a day its alarm is raised whenever it is looked at. */
function alarmAfterADay({ alarm, now }: DispatchPorts, payout: QueuedPayout | SentPayout): void {
  const releasedAt = payout.decisions.at(-1)?.at ?? payout.createdAt;
  if (isCheckWindowOver(releasedAt, now())) alarm('payout_error', { payout: payout.id });
}

/** Another rail would report `unknown`, and acting on that would send the payout a second time. */
const strandedAt = (ports: DispatchPorts, payout: QueuedPayout | SentPayout, rail: string): Promise<void> =>
  escalate(ports, payout, undefined, `sent to rail ${rail}, which is not configured`);

const advance = (ports: RailPorts, payout: QueuedPayout | SentPayout): Promise<void> =>
  payout.status === 'PROCESS' && payout.phase === 'SENT'
    ? checkStatus(ports, payout)
    : sendFirst(ports, payout);

/**
 * Sends a payout for the first time, or again after the rail took nothing. The send is recorded before the rail is called; only
 * one dispatcher can record it, and none while the merchant, the account or the number is banned.
 */
async function sendFirst(ports: RailPorts, payout: QueuedPayout): Promise<void> {
  if (payout.attemptOver && wasAccepted(payout))
    return escalate(ports, payout, undefined, acceptedAfterItsEnd);
  const opened = await openChecked(ports, payout);
  if (!opened.ok) return refuseDestination(ports, payout);
  const { destination, numberHash = payout.numberHash } = opened.value;
  const sent = { ...sentOut(payout, ports.now(), ports.rail.name), numberHash };
  const written = await ports.payouts.releaseForSending(payout, sent);
  if (written.ok) return callRail(ports, payout, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });
  if (written.error !== 'moved_meanwhile') await stopPayout(ports, payout, written.error);
}

/**
 * Sends a payout that the rail does not know again, under the same key. This is recorded first as well: a dispatcher
 * still waiting for the earlier call must not treat that call as the only one. If the merchant, the account or the
 * number is banned meanwhile, nothing is sent: a rail with tombstones refuses calls still in flight from then on.
 */
async function sendAgain(ports: RailPorts, payout: SentPayout): Promise<void> {
  const opened = await openChecked(ports, payout);
  if (!opened.ok) return refuseDestination(ports, payout);
  const { destination, numberHash = payout.numberHash } = opened.value;
  const again = { ...sentAgain(payout, ports.now(), ports.rail.name), numberHash };
  const written = await ports.payouts.releaseForSending(payout, again);
  if (written.ok) return callRail(ports, payout, again, destination, { isOnlyCall: false });
  if (written.error === 'moved_meanwhile') return;
  if (ports.rail.tombstones) await settleOrCheckLater(ports, await cancel(ports, payout));
  else await settleOrCheckLater(ports, { payout, view: undefined, retryAfterMs: undefined });
}

async function callRail(
  ports: RailPorts,
  before: OpenPayout,
  sent: SentPayout,
  destination: Destination,
  call: { readonly isOnlyCall: boolean },
): Promise<void> {
  // The record before the call counts it as unanswered: its answer takes that place.
  const answered = await askRail(ports, { ...sent, railCalls: before.railCalls }, 'send', () =>
    ports.rail.send({ ...transferOf(sent), destination }),
  );
  const { payout, view, retryAfterMs } = answered;
  if (retryAfterMs !== undefined) return putOff(ports, payout, retryAfterMs, call);
  if (isContradiction(payout, view)) return escalate(ports, payout, view, 'the rail contradicts itself');
  if (await isSettled(ports, payout, view, { ...call, rail: ports.rail })) return;
  if (view && view.state !== 'unknown') await move(ports, payout, accepted(payout, view), view);
  await scheduleCheck(ports, payout);
}

/** The call was not carried out. A payout of which nothing else can be at the rail waits in the queue. */
async function putOff(
  ports: RailPorts,
  payout: SentPayout,
  retryAfterMs: number,
  { isOnlyCall }: { readonly isOnlyCall: boolean },
): Promise<void> {
  const dueAt = new Date(ports.now().getTime() + retryAfterMs);
  if (isOnlyCall) alarmAfterADay(ports, payout);
  const after = isOnlyCall
    ? queuedAgain(payout, dueAt, { notTaken: true, attemptOver: false })
    : toBeCheckedAt(payout, dueAt);
  if (await move(ports, payout, after, undefined)) await scheduleCheck(ports, after);
}

async function checkStatus(ports: RailPorts, payout: SentPayout): Promise<void> {
  const asked = await askRail(ports, payout, 'get', () => ports.rail.get(transferOf(payout)));
  const { view } = asked;
  if (isContradiction(asked.payout, view))
    return escalate(ports, asked.payout, view, 'the rail contradicts itself');
  if (view?.state !== 'unknown') return settleOrCheckLater(ports, asked);
  if (maySend(ports, payout)) return sendAgain(ports, asked.payout);
  await settleOrCheckLater(ports, ports.rail.tombstones ? await cancel(ports, asked.payout) : asked);
}

/** Without tombstones a key that the rail may have forgotten is never sent: that could be a second transfer. */
const maySend = (ports: RailPorts, payout: SentPayout): boolean =>
  ports.rail.tombstones ? !isOverdue(ports, payout) : isKeyAlive(firstCallOf(payout), ports.now());

async function settleOrCheckLater(
  ports: RailPorts,
  { payout, view, retryAfterMs }: Answered<SentPayout>,
): Promise<void> {
  if (await isSettled(ports, payout, view, { rail: ports.rail, isOnlyCall: false })) return;
  if (isOverdue(ports, payout)) return escalate(ports, payout, view, whyOverdue(view));
  const later =
    retryAfterMs === undefined
      ? toBeCheckedLater(payout, ports.now(), view)
      : toBeCheckedAt(payout, new Date(ports.now().getTime() + retryAfterMs));
  if (await move(ports, payout, later, view)) await scheduleCheck(ports, later);
}

const whyOverdue = (view: RailView | undefined): string =>
  view?.state === 'unknown' ? 'not found at the rail for a day' : 'no answer for a day';

/** Cancels at the rail a payout that it does not know: after a day of checks, or after a ban. */
async function cancel(ports: RailPorts, payout: SentPayout): Promise<Answered<SentPayout>> {
  const cancelled = await askRail(ports, payout, 'cancel', () => ports.rail.cancel(transferOf(payout)));
  const { view } = cancelled;
  // A tombstone: the rail will refuse calls that are still in flight.
  return view?.state === 'unknown' ? { ...cancelled, view: { ...view, state: 'refused' } } : cancelled;
}

const isOverdue = ({ now }: DispatchPorts, { sentAt }: SentPayout): boolean =>
  isCheckWindowOver(sentAt, now());

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
  { id, merchantId, dueAt }: SentPayout | QueuedPayout,
): Promise<void> {
  // One second late, because clocks differ.
  const delaySeconds = Math.ceil((dueAt.getTime() - now().getTime()) / 1000) + 1;
  if (delaySeconds > longestDelaySeconds) return;
  await queuePayout(payoutQueue, { id, merchantId }, delaySeconds);
}
