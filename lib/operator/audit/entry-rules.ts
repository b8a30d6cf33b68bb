import { type Entry, entryId } from '../../ledger/entry.ts';
import { clocksDifferMs } from '../../ledger/recomputation.ts';
import { sum, toDecimal } from '../../money/money.ts';
import { recomputedEntryRules } from './recomputations.ts';
import { type AnyRule, rule } from './rule.ts';

const sumsToZero = rule({
  invariant: 'entry_balances',
  of: 'entry',
  needs: () => [],
  broken: ({ entry }) =>
    [...new Set(entry.lines.map(({ currency }) => currency))]
      .map((currency) => ({ currency, total: totalOf(entry, currency) }))
      .filter(({ total }) => total !== 0n)
      .map(({ currency, total }) => {
        const name = `entry ${entryId(entry)}`;
        return `${name} sums to ${toDecimal(total)} ${currency}, not to zero`;
      }),
});

const totalOf = ({ lines }: Entry, currency: string): bigint =>
  sum(lines.filter((line) => line.currency === currency).map(({ minor }) => minor));

const isNotOfTheFuture = rule({
  invariant: 'entry_balances',
  of: 'entry',
  needs: () => [],
  broken: ({ entry }, _found, now) =>
    entry.at.getTime() > now.getTime() + clocksDifferMs
      ? [`entry ${entryId(entry)} is of ${entry.at.toISOString()}, which has not come`]
      : [],
});

export const entryRules: readonly AnyRule[] = [sumsToZero, isNotOfTheFuture, ...recomputedEntryRules];
