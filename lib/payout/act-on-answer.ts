import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { recordLateAnswer } from './late-answer.ts';
import { inError, queuedAgain } from './moves.ts';
import type { OpenPayout, PayoutBefore, SentPayout } from './payout.ts';
import type { PayoutAlarm, PayoutRail, RailView, RaiseAlarm } from './ports.ts';
import { nextTryAt } from './status-checks.ts';

export type AnswerPorts = FinishPorts & { readonly alarm: RaiseAlarm };

type CallContext = {
  readonly rail: Pick<PayoutRail, 'tombstones'>;
  /** Before the call that this response belongs to, no call could have reached the rail under this key. */
  readonly isOnlyCall: boolean;
};

/**
 * Settles or fails the payout, or queues it again when the rail took nothing. Returns false when the response does not decide
 * the payout.
 */
export async function isSettled(
  ports: AnswerPorts,
  payout: SentPayout,
  view: RailView | undefined,
  context: CallContext,
): Promise<boolean> {
  switch (view?.state) {
    case 'paid':
      await finish(ports, payout, 'SUCCESS', view);
      return true;
    case 'refused':
      if (!isDecisive(view, context)) return false;
      await finish(ports, payout, 'FAIL', view);
      return true;
    case 'provider_empty':
      return waitedFor(ports, payout, view, context, 'provider_empty');
    case 'not_taken':
      return waitedFor(ports, payout, view, context, 'payout_not_taken');
    case 'unknown':
    case 'accepted':
    case undefined:
      return false;
  }
}

/**
 * Whether the response is about every call under the key, and not only about the one that it answers. A rail with tombstones
 * reports the key. Any other reports an object, which all calls under a key share, or the refusal of this call.
 */
const isDecisive = (view: RailView, { rail, isOnlyCall }: CallContext): boolean =>
  rail.tombstones || isOnlyCall || view.reference !== undefined;

async function finish(
  ports: AnswerPorts,
  payout: SentPayout,
  status: 'SUCCESS' | 'FAIL',
  view: RailView,
): Promise<void> {
  const done = await finishPayout(ports, payout, status, { view });
  if (!done.ok) await recordLateAnswer(ports, payout, view);
}

/**
 * The rail took nothing and the operator must help: the payout is queued again. With tombstones the same key is sent again, as
 * another call may still be in flight. Otherwise the next call has a new key, and only when no call under this one can pay.
 */
async function waitedFor(
  ports: AnswerPorts,
  payout: SentPayout,
  view: RailView,
  context: CallContext,
  alarm: PayoutAlarm,
): Promise<boolean> {
  ports.alarm(alarm, { payout: payout.id });
  if (!isDecisive(view, context)) return false;
  const { rail, isOnlyCall } = context;
  const how = rail.tombstones
    ? { notTaken: isOnlyCall, attemptOver: false }
    : { notTaken: true, attemptOver: true };
  await ports.payouts.move(payout, queuedAgain(payout, nextTryAt(ports.now()), how));
  return true;
}

/** Moves the payout to ERROR with an alarm. The money stays locked until a person resolves it. */
export async function escalate(
  ports: AnswerPorts,
  payout: PayoutBefore<'ERROR'>,
  view: RailView | undefined,
  why: string,
  alarm: 'payout_error' | 'destination_mismatch' = 'payout_error',
): Promise<void> {
  // Before the write: two dispatchers may both raise the alarm, but a crash cannot lose it.
  ports.alarm(alarm, { payout: payout.id });
  await move(ports, payout, inError(payout, why, view), view);
}

/** Returns false when another move was written first; the rail's response is then recorded as a late answer. */
export async function move(
  ports: AnswerPorts,
  before: OpenPayout,
  after: OpenPayout,
  view: RailView | undefined,
): Promise<boolean> {
  const written = await ports.payouts.move(before, after);
  if (!written.ok) await recordLateAnswer(ports, before, view);
  return written.ok;
}
