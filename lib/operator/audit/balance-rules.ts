import { type Entry, merchantAccounts } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import { rule } from './rule.ts';

/** The balances that an entry moves, `<merchant> <CUR>` each. */
const balancesOf = ({ merchantId, lines }: Entry): readonly string[] => {
  const moved = lines.filter(
    ({ account, minor }) => merchantAccounts.some((each) => each === account) && minor !== 0n,
  );
  return [...new Set(moved.map(({ currency }) => `${merchantId} ${currency}`))];
};

/** A balance exists from the first of these entries on; the other kinds need money that is there already. */
const makesBalance = ({ kind }: Entry): boolean => kind === 'CAPTURE' || kind === 'ADJUST';

export const balanceRules = [
  rule({
    invariant: 'balance_not_negative',
    of: 'balance',
    needs: () => [],
    broken: ({ merchantId, balance }) =>
      merchantAccounts
        .filter((account) => balance[account] < 0n)
        .map((account) => {
          const amount = toDecimal(balance[account]);
          return `balance ${merchantId} ${balance.currency} ${account} is ${amount}, below zero`;
        }),
  }),
  rule({
    invariant: 'balance_matches_journal',
    of: 'entry',
    // The comparison of a balance with its journal begins with the balance, so it does not see that one is gone.
    needs: ({ entry }) =>
      makesBalance(entry) ? balancesOf(entry).map((id) => ({ kind: 'balance', id })) : [],
    broken: ({ entry }, found) =>
      (makesBalance(entry) ? balancesOf(entry) : [])
        .filter((id) => !found.one('balance', id))
        .map((id) => `balance ${id} does not exist, but its journal has entries`),
  }),
];
