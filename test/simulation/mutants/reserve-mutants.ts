import type { Mutant } from './mutant.ts';

const balances = 'lib/store/balances.ts';

/** The guards of the rolling reserve (lib/ledger/README.md). */
export const reserveMutants: readonly Mutant[] = [
  {
    name: 'reserve-released-early',
    guard: 'a reserve is not released before its time by the clock of its worker',
    patches: [
      {
        file: 'lib/payment/release-reserve.ts',
        find: 'if (!reserve || reserve.released || reserve.releaseAt > at) return before;',
        put: 'if (!reserve || reserve.released) return before;',
      },
    ],
    by: { scenario: 'a reserve is not released before its time' },
  },
  {
    name: 'reserve-released-unseen',
    guard: 'a reserve is released on condition that nobody else released it',
    patches: [
      {
        file: 'lib/store/payment-steps.ts',
        find: 'afterCapture: storedAfterCapture(before), reserve: storedReserve(before) },',
        put: 'afterCapture: storedAfterCapture(before) },',
      },
    ],
    by: { scenario: 'a reserve is released once by two workers' },
  },
  {
    name: 'reserve-off-the-work-list',
    guard: 'a paid payment is on a work list until its reserve is released',
    patches: [
      {
        file: 'lib/payment/after-capture.ts',
        find: 'reserve?.released === false ? reserve.releaseAt : undefined',
        put: 'reserve?.released === undefined ? undefined : undefined',
      },
    ],
    by: { scenario: 'a reserve is released when its days are over' },
  },
  {
    name: 'reserve-available',
    guard: 'what is reserved is not available',
    patches: [
      { file: balances, find: "available: on('available'),", put: "available: on('available') + reserved," },
    ],
    by: { scenario: 'a payout spends nothing of a reserve' },
  },
  {
    name: 'reserve-terms-unchecked',
    guard: 'terms with a reserve below zero are not read',
    patches: [
      {
        file: 'lib/store/terms-item.ts',
        find: 'reserveBasisPoints: z.exactOptional(z.int().check(z.gte(0), z.lte(10_000))),',
        put: 'reserveBasisPoints: z.exactOptional(z.int()),',
      },
    ],
    by: { scenario: 'terms that somebody wrote by hand credit no more than was received' },
  },
  {
    name: 'reserve-below-zero',
    guard: 'no release takes the reserve of a balance below zero',
    patches: [
      {
        file: balances,
        find: "ConditionExpression: 'reserved >= :amount',",
        put: "ConditionExpression: 'attribute_exists(PK)',",
      },
    ],
    by: { scenario: 'no more is released than the balance reserves' },
  },
];
