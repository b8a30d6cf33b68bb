import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { keepLateAnswer } from './late-answer.ts';
import { inError, queuedAgain } from './moves.ts';
import type { OpenPayout, PayoutBefore, SentPayout } from './payout.ts';
import type { RailView, RaiseAlarm } from './ports.ts';

export type AnswerPorts = FinishPorts & { readonly alarm: RaiseAlarm };

/**
 * U5, U6, and the empty account; false when the rail's answer settles nothing. `isOnlyCall`: before the call that is
 * answered here, nothing of the payout could be at the rail.
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
  if (!done.ok) await keepLateAnswer(ports, payout.id, view);
}

async function waitForRefill(ports: AnswerPorts, payout: SentPayout, notTaken: boolean): Promise<void> {
  ports.alarm('provider_empty', { payout: payout.id });
  await ports.payouts.move(payout, queuedAgain(payout, ports.now(), notTaken));
}

/** U7: the money stays locked until a person has looked. */
export async function escalate(
  ports: AnswerPorts,
  payout: PayoutBefore<'ERROR'>,
  view: RailView | undefined,
  why: string,
  alarm: 'payout_error' | 'destination_mismatch' = 'payout_error',
): Promise<void> {
  // Before the write: two dispatchers may both raise the alarm, but no crash can keep it from the operator.
  ports.alarm(alarm, { payout: payout.id });
  await move(ports, payout, inError(payout, why, view), view);
}

/** False when another move was quicker; what the rail said is kept then, too. */
export async function move(
  ports: AnswerPorts,
  before: OpenPayout,
  after: OpenPayout,
  view: RailView | undefined,
): Promise<boolean> {
  const written = await ports.payouts.move(before, after);
  if (!written.ok) await keepLateAnswer(ports, before.id, view);
  return written.ok;
}
