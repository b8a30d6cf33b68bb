import { sum, toDecimal } from '../../../lib/money/money.ts';
import { payoutRules } from '../../../lib/payout/limits.ts';
import { Tally } from './tally.ts';
import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

const totals = {
  auto_approve_up_to: 'autoApproveDayTotalMinor',
  auto_approve_known_accounts: 'autoApproveKnownDayTotalMinor',
} as const;

/** The payouts that a rule released on a day stay within its total, whatever their outcome, and its counter equals their sum. */
export function overRuleTotal(snapshot: Snapshot): readonly Violation[] {
  const usage = new Tally();
  for (const { payout } of snapshot.of('payout'))
    for (const rule of payoutRules)
      if (payout.decisions[0]?.by === `rule:${rule}`)
        usage.add(`${payout.merchantId} ${rule} ${payout.limitDay}`, payout.amount.minor);
  return usage.names().flatMap((name) => {
    const [merchantId = '', of = '', day] = name.split(' ');
    const rule = payoutRules.find((each) => each === of) ?? 'auto_approve_up_to';
    const [total, most] = [usage.of(name), snapshot.limitOf(merchantId, totals[rule])];
    const counter = snapshot.counters.get(merchantId)?.byRule?.[rule];
    const isWrong = counter?.day === day && counter?.total !== total;
    return [
      ...(total > most ? [`${name} has ${toDecimal(total)}, over the total of ${toDecimal(most)}`] : []),
      ...(isWrong ? [`${name} counts ${toDecimal(counter?.total ?? 0n)}, not ${toDecimal(total)}`] : []),
    ].map((text) => ({ invariant: 'rule total', text }));
  });
}

/** An order above the merchant's `secondPersonAbove`, all parts together, is released by two people: not by one, and not by a rule. */
export function approvedByOne(snapshot: Snapshot): readonly Violation[] {
  const orders = Map.groupBy(snapshot.of('payout'), ({ payout }) => payout.groupId);
  return [...orders.values()].flatMap((records) => {
    const parts = records.map(({ payout }) => payout);
    const above = snapshot.limitOf(parts[0]?.merchantId ?? '', 'secondPersonAboveMinor');
    if (above === 0n || sum(parts.map(({ amount }) => amount.minor)) <= above) return [];
    return parts
      .filter(({ decisions }) =>
        decisions.some(({ verdict, approvedBy }) => verdict === 'approved' && approvedBy === undefined),
      )
      .map(({ id }) => ({
        invariant: 'two people',
        text: `${id} was released by one person, above ${toDecimal(above)}`,
      }));
  });
}

/** The payouts of a day or a month never exceed the merchant's limit. */
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
    return [
      ...(total > limit ? [{ invariant: 'payout_limits', text }] : []),
      ...wrongCounter(snapshot, name, total),
    ];
  });
}

/** The counter stored with the balance equals the sum of its payouts exactly. */
function wrongCounter(snapshot: Snapshot, name: string, total: bigint): readonly Violation[] {
  const [merchantId = '', period = '', which] = name.split(' ');
  const usage = snapshot.counters.get(merchantId);
  const [running, counted] =
    period === 'day' ? [usage?.day, usage?.dayTotal] : [usage?.month, usage?.monthTotal];
  if (running !== which || counted === total) return [];
  const text = `${name} counts ${toDecimal(counted ?? 0n)}, but its payouts are ${toDecimal(total)}`;
  return [{ invariant: 'payout_limits', text }];
}
