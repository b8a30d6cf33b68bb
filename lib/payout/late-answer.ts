import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { isAcceptance, isRenamed, wasAccepted } from './acceptance.ts';
import { accepted, inError } from './moves.ts';
import { isFinalPayout, mayBecome, type Payout } from './payout.ts';
import type { Payouts, RailView, RaiseAlarm } from './ports.ts';
import { withCallsOf } from './rail-calls.ts';
import { keyOf } from './transfer.ts';

type Ports = { readonly payouts: Pick<Payouts, 'find' | 'move'>; readonly alarm: RaiseAlarm };

/** Why a payout is in ERROR whose attempt was accepted after the rail had ended it: the next one would pay a second time. */
export const acceptedAfterItsEnd = 'the rail paid an attempt that had ended';

/**
 * Records an answer that came after the payout had moved on. Acceptance is recorded, or a later `unknown` would be trusted. An
 * answer that contradicts a final payout raises an alarm, and so does the acceptance of an attempt that had ended: the payout
 * then goes to ERROR.
 */
export async function recordLateAnswer(
  { payouts, alarm }: Ports,
  asked: Payout,
  view: RailView | undefined,
): Promise<void> {
  if (!view) return;
  const attempt = async (): Promise<void | typeof conflict> => {
    const payout = await payouts.find(asked.id);
    if (!payout) return;
    const contradiction = contradictionOf(payout, view);
    if (contradiction) return alarm(contradiction, { payout: payout.id });
    if (isFinalPayout(payout) || !isAcceptance(view)) return;
    const isEarlier = keyOf(payout) !== keyOf(asked);
    const hasEnded = isEarlier || payout.attemptOver === true;
    if (hasEnded) alarm('payout_error', { payout: payout.id });
    const known = { ...payout, railCalls: withCallsOf(payout.railCalls, asked.railCalls) };
    if (hasEnded && mayBecome(known, 'ERROR')) {
      const error = inError(known, acceptedAfterItsEnd, isEarlier ? undefined : view);
      const written = await payouts.move(payout, error);
      return written.ok ? undefined : conflict;
    }
    if (isEarlier || wasAccepted(payout)) return;
    const written = await payouts.move(payout, accepted(known, view));
    return written.ok ? undefined : conflict;
  };
  await retryOnConflict(attempt, { exhausted: tooManyConflicts('A payout with a late answer') });
}

/** The alarm about a final payout whose rail now reports the opposite; undefined when it does not. */
export function contradictionOf(
  payout: Payout,
  view: RailView,
): 'paid_after_failure' | 'payout_undone' | undefined {
  if (payout.status === 'FAIL' || payout.status === 'DECLINED')
    return view.state === 'paid' ? 'paid_after_failure' : undefined;
  if (payout.status !== 'SUCCESS' || isRenamed(payout, view)) return undefined;
  return view.state === 'refused' || view.state === 'provider_empty' ? 'payout_undone' : undefined;
}
