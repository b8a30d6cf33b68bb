import type { PayoutId } from '../ids.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { isAcceptance, wasAccepted } from './acceptance.ts';
import { accepted } from './moves.ts';
import { isFinalPayout } from './payout.ts';
import type { Payouts, RailView, RaiseAlarm } from './ports.ts';

type Ports = { readonly payouts: Pick<Payouts, 'find' | 'move'>; readonly alarm: RaiseAlarm };

/**
 * Records an answer that came after the payout had moved on. It changes no status, but acceptance is recorded, or a
 * later `unknown` would be trusted, and a payment of a failed payout raises an alarm.
 */
export async function recordLateAnswer(
  { payouts, alarm }: Ports,
  payoutId: PayoutId,
  view: RailView | undefined,
): Promise<void> {
  if (!isAcceptance(view)) return;
  const attempt = async (): Promise<void | typeof conflict> => {
    const payout = await payouts.find(payoutId);
    if (!payout || payout.status === 'SUCCESS') return;
    if (isFinalPayout(payout)) {
      if (view.state === 'paid') alarm('paid_after_failure', { payout: payoutId });
      return;
    }
    if (wasAccepted(payout)) return;
    const written = await payouts.move(payout, accepted(payout, view));
    return written.ok ? undefined : conflict;
  };
  await retryOnConflict(attempt, { exhausted: tooManyConflicts('A payout with a late answer') });
}
