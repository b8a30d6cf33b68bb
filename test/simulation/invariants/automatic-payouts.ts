import type { Payout } from '../../../lib/payout/payout.ts';
import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

const weekMs = 7 * 24 * 3600_000;
/** Automatic payouts run on Saturdays at 11:00; one that runs late still belongs to its Saturday. */
const aSaturday = new Date('2026-11-21T11:00:00Z').getTime();

/** An automatic payout is created once for each scheduled hour. */
export function paidTwiceAutomatically(snapshot: Snapshot): readonly Violation[] {
  const groups = new Map<string, Set<string>>();
  for (const { payout } of snapshot.of('payout')) {
    if (!payout.isAuto) continue;
    const week = Math.floor((payout.createdAt.getTime() - aSaturday) / weekMs);
    const hour = `${payout.merchantId} week ${week}`;
    groups.set(hour, (groups.get(hour) ?? new Set()).add(payout.groupId));
  }
  return [...groups]
    .filter(([, ids]) => ids.size > 1)
    .map(([hour, ids]) => ({ invariant: 'automatic payout', text: `${hour} was paid ${ids.size} times` }));
}

const wasApprovedByPerson = ({ decisions }: Payout): boolean =>
  decisions.some(({ verdict, by }) => verdict === 'approved' && !by.startsWith('rule:'));

/** A rule must not release a possible duplicate, nor treat an account as known that no person-approved payout has reached. */
export function releasedByRule(snapshot: Snapshot): readonly Violation[] {
  const payouts = snapshot.of('payout').map(({ payout }) => payout);
  const byRule = payouts.filter(({ decisions }) => decisions[0]?.by.startsWith('rule:auto_approve'));
  const recipient = ({ merchantId, accountHash }: Payout) => `${merchantId} ${accountHash}`;
  const known = new Set(
    payouts.filter((each) => each.status === 'SUCCESS' && wasApprovedByPerson(each)).map(recipient),
  );
  const asKnown = byRule.filter(({ decisions }) => decisions[0]?.by === 'rule:auto_approve_known_accounts');
  return [
    ...byRule
      .filter(({ possibleDuplicate }) => possibleDuplicate)
      .map(({ id }) => `possible duplicate ${id} was released by a rule`),
    ...asKnown
      .filter((each) => !known.has(recipient(each)))
      .map(({ id }) => `${id} was released by a rule to an account that no person ever approved`),
  ].map((text) => ({ invariant: 'rules', text }));
}
