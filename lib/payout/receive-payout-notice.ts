import type { PayoutId } from '../ids.ts';
import { askRail } from './ask-rail.ts';
import { contradictionOf } from './late-answer.ts';
import { toBeCheckedAt } from './moves.ts';
import { isFinalPayout, type FinalPayout, type SentPayout } from './payout.ts';
import type { PayoutQueue, Payouts, Rails, RaiseAlarm } from './ports.ts';
import { queuePayout } from './queue-payout.ts';
import { transferOf } from './transfer.ts';

export type PayoutNoticePorts = {
  readonly payouts: Pick<Payouts, 'find' | 'move'>;
  readonly rails: Pick<Rails, 'named'>;
  readonly payoutQueue: PayoutQueue;
  readonly alarm: RaiseAlarm;
  readonly now: () => Date;
};

/**
 * Handles a provider's notice about a payout, a hint that is never believed. A payout whose outcome is open is checked at once. A
 * final one is read from its rail again: if that reports the opposite, an alarm is raised. A payout in ERROR raises its alarm
 * again, because there is something to check.
 *
 * @returns `unknown_payout`: we have no payout with this id. `no_answer`: the provider must send the notice again.
 */
export async function receivePayoutNotice(
  ports: PayoutNoticePorts,
  payoutId: PayoutId,
): Promise<'noted' | 'unknown_payout' | 'no_answer'> {
  const payout = await ports.payouts.find(payoutId);
  if (!payout) return 'unknown_payout';
  if (isFinalPayout(payout)) return compareFinal(ports, payout);
  if (payout.status === 'ERROR') ports.alarm('payout_error', { payout: payout.id });
  if (payout.status === 'PROCESS' && payout.phase === 'SENT') await checkNow(ports, payout);
  return 'noted';
}

async function compareFinal(ports: PayoutNoticePorts, payout: FinalPayout): Promise<'noted' | 'no_answer'> {
  const rail = payout.rail === undefined ? undefined : ports.rails.named(payout.rail);
  if (!rail) return 'noted';
  const { view } = await askRail(ports, payout, 'get', () => rail.get(transferOf(payout)));
  if (!view) return 'no_answer';
  const contradiction = contradictionOf(payout, view);
  if (contradiction) ports.alarm(contradiction, { payout: payout.id });
  return 'noted';
}

/** A notice that comes before the answer to our own call is not lost: the payout is checked again when it is due. */
async function checkNow(ports: PayoutNoticePorts, payout: SentPayout): Promise<void> {
  if (payout.dueAt <= ports.now()) return;
  const due = toBeCheckedAt(payout, ports.now());
  const written = await ports.payouts.move(payout, due);
  if (written.ok) await queuePayout(ports.payoutQueue, due);
}
