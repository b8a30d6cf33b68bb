import { merchantAccounts } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import { rule } from './rule.ts';

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
];
