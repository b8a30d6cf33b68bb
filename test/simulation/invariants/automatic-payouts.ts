import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

const weekMs = 7 * 24 * 3600_000;
/** Automatic payouts run on Saturdays at eleven; one that runs late still belongs to its Saturday. */
const aSaturday = new Date('2026-11-21T11:00:00Z').getTime();

/** An automatic payout is made once for each of its hours. */
export function autoTwice(snapshot: Snapshot): readonly Violation[] {
  const groups = new Map<string, Set<string>>();
  for (const { payout } of snapshot.of('payout')) {
    if (!payout.isAuto) continue;
    const week = Math.floor((payout.createdAt.getTime() - aSaturday) / weekMs);
    const hour = `${payout.merchantId} week ${week}`;
    groups.set(hour, (groups.get(hour) ?? new Set()).add(payout.groupId));
  }
  return [...groups]
    .filter(([, ids]) => ids.size > 1)
    .map(([hour, ids]) => ({ invariant: 'standing order', text: `${hour} was paid ${ids.size} times` }));
}
