import { mayBeAtRail } from './acceptance.ts';
import { type AnswerPorts, escalate } from './act-on-answer.ts';
import { stopped } from './moves.ts';
import type { QueuedPayout } from './payout.ts';
import type { BanRefusal } from './ports.ts';

const reasons: Readonly<Record<BanRefusal, string>> = {
  merchant_banned: 'the merchant is banned',
  payout_account_banned: 'the account is banned',
};

/**
 * Returns a payout that may not be sent to the moderator. One that may be at the rail cannot be declined, so it goes to
 * ERROR instead.
 */
export async function stopPayout(
  ports: AnswerPorts,
  payout: QueuedPayout,
  refusal: BanRefusal,
): Promise<void> {
  const reason = reasons[refusal];
  if (mayBeAtRail(payout)) {
    return escalate(ports, payout, undefined, `${reason}, and an earlier call may have reached the rail`);
  }
  const decision = {
    verdict: 'stopped',
    id: undefined,
    by: `rule:${refusal}`,
    approvedBy: undefined,
    reason,
    at: ports.now(),
  } as const;
  // A refused move is fine: the operator declined the payout at the same time.
  await ports.payouts.move(payout, stopped(payout, decision));
}
