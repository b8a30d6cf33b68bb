import { mayBeAtRail } from './acceptance.ts';
import { type AnswerPorts, escalate } from './act-on-answer.ts';
import { stopped } from './moves.ts';
import type { QueuedPayout } from './payout.ts';
import type { BanRefusal } from './ports.ts';

const reasons: Readonly<Record<BanRefusal, string>> = {
  merchant_banned: 'the merchant is banned',
  payout_account_banned: 'the account is banned',
};

/** U4 was refused: a moderator decides anew. What the rail may have cannot be declined, so a person finds out first. */
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
  // Refused when the operator declined it just then, which is as good.
  await ports.payouts.move(payout, stopped(payout, decision));
}
