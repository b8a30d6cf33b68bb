import { toDecimal } from '../../../lib/money/money.ts';
import { Tally } from '../../../lib/operator/audit/tally.ts';
import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/** I10: what counts in a day or a month never passes the merchant's limit. */
export function overLimit(snapshot: Snapshot): readonly Violation[] {
  const usage = new Tally();
  for (const { payout } of snapshot.of('payout')) {
    if (payout.status === 'FAIL' || payout.status === 'DECLINED') continue;
    usage.add(`${payout.merchantId} day ${payout.limitDay}`, payout.amount.minor);
    usage.add(`${payout.merchantId} month ${payout.limitMonth}`, payout.amount.minor);
  }
  return usage.names().flatMap((name) => {
    const [merchantId = '', period = ''] = name.split(' ');
    const limit = snapshot.limitOf(merchantId, period === 'day' ? 'dayLimitMinor' : 'monthLimitMinor');
    const total = usage.of(name);
    const text = `${name} has ${toDecimal(total)}, over the limit of ${toDecimal(limit)}`;
    return [...(total > limit ? [{ invariant: 'I10', text }] : []), ...unlikeCounter(snapshot, name, total)];
  });
}

/** The counter beside the balance is the sum of what counts in it, to the kopeck. */
function unlikeCounter(snapshot: Snapshot, name: string, total: bigint): readonly Violation[] {
  const [merchantId = '', period = '', which] = name.split(' ');
  const usage = snapshot.counters.get(merchantId);
  const [running, counted] =
    period === 'day' ? [usage?.day, usage?.dayTotal] : [usage?.month, usage?.monthTotal];
  if (running !== which || counted === total) return [];
  const text = `${name} counts ${toDecimal(counted ?? 0n)}, but its payouts are ${toDecimal(total)}`;
  return [{ invariant: 'I10', text }];
}
