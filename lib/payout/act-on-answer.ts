import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { recordLateAnswer } from './late-answer.ts';
import { inError, queuedAgain } from './moves.ts';
import type { OpenPayout, PayoutBefore, SentPayout } from './payout.ts';
import type { RailView, RaiseAlarm } from './ports.ts';

export type AnswerPorts = FinishPorts & { readonly alarm: RaiseAlarm };

/**
 * Settles or fails the payout, or queues it again when the provider account is empty. Returns false when the response
 * is not final. `isOnlyCall`: before the call that this response belongs to, no call could have reached the rail.
 */
export async function isSettled(
  ports: AnswerPorts,
  payout: SentPayout,
  view: RailView | undefined,
  { isOnlyCall }: { readonly isOnlyCall: boolean },
): Promise<boolean> {
  if (view?.state === 'paid') await finish(ports, payout, 'SUCCESS', view);
  else if (view?.state === 'refused') await finish(ports, payout, 'FAIL', view);
  else if (view?.state === 'provider_empty') await waitForRefill(ports, payout, isOnlyCall);
  else return false;
  return true;
}

async function finish(
  ports: AnswerPorts,
  payout: SentPayout,
  status: 'SUCCESS' | 'FAIL',
  view: RailView,
): Promise<void> {
  const done = await finishPayout(ports, payout, status, { view });
  if (!done.ok) await recordLateAnswer(ports, payout.id, view);
}

async function waitForRefill(ports: AnswerPorts, payout: SentPayout, notTaken: boolean): Promise<void> {
  ports.alarm('provider_empty', { payout: payout.id });
  await ports.payouts.move(payout, queuedAgain(payout, ports.now(), notTaken));
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
  if (!written.ok) await recordLateAnswer(ports, before.id, view);
  return written.ok;
}
