import { isAcceptance, wasAccepted } from './acceptance.ts';
import { accepted } from './moves.ts';
import type { Payouts, RailView, RaiseAlarm } from './ports.ts';
import { isFinalPayoutStatus } from './states.ts';

type Ports = { readonly payouts: Pick<Payouts, 'find' | 'move'>; readonly alarm: RaiseAlarm };

/** Each lost round is a move that another worker made just then. */
const rounds = 5;

/**
 * The payout moved on while the rail answered, so the answer decides nothing any more. Yet that the rail has the
 * payout is written down, or a later `unknown` would be believed; and that it paid what has failed is told.
 */
export async function keepLateAnswer(
  { payouts, alarm }: Ports,
  payoutId: string,
  view: RailView | undefined,
): Promise<void> {
  if (!isAcceptance(view)) return;
  for (let round = 0; round < rounds; round += 1) {
    const payout = await payouts.find(payoutId);
    if (!payout || payout.status === 'SUCCESS') return;
    if (isFinalPayoutStatus(payout.status)) {
      if (view.state === 'paid') alarm('paid_after_failure', { payout: payoutId });
      return;
    }
    if (wasAccepted(payout)) return;
    const written = await payouts.move(payout, accepted(payout, view));
    if (written.ok) return;
  }
  throw new Error(`Payout ${payoutId} moved in every round`);
}
