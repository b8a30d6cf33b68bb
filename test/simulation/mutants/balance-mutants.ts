import type { Mutant } from './mutant.ts';

/** The guards of the comparison of balances with their journals. What the rounds conclude is held by test/unit/audit-balances.test.ts. */
export const balanceMutants: readonly Mutant[] = [
  {
    name: 'balance-not-compared',
    guard: 'a balance is compared with its journal',
    patches: [
      {
        file: 'lib/operator/audit/balance-check.ts',
        find: 'if (!balance || isSame(balance, seen)) return undefined;',
        put: 'if (!balance || seen) return undefined;',
      },
    ],
    by: { corruption: 'a balance that is off' },
  },
  {
    name: 'balance-available-alone',
    guard: 'each account of a balance is told that differs, and no other',
    patches: [
      {
        file: 'lib/operator/audit/balance-check.ts',
        find: '.filter((account) => possible.every((difference) => difference[account] !== 0n))',
        put: ".filter((account) => account === 'available')",
      },
    ],
    by: { corruption: 'money moved within a balance, from locked to available' },
  },
  {
    name: 'balance-gone-unseen',
    guard: 'a balance that is gone is compared as well',
    patches: [
      {
        file: 'lib/operator/audit/records-step.ts',
        find: '...(await moved.missing(ports))',
        put: '...[]',
      },
    ],
    by: { corruption: 'a balance removed' },
  },
  {
    name: 'balance-below-zero',
    guard: 'a balance below zero is told, whatever its journal says',
    patches: [
      {
        file: 'lib/operator/audit/balance-rules.ts',
        find: '.filter((account) => balance[account] < 0n)',
        put: '.filter((account) => balance[account] < -(10n ** 18n))',
      },
    ],
    by: { corruption: 'a balance below zero, as its journal says' },
  },
];
