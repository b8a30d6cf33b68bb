import { describe, expect, it } from 'vitest';
import { type Scope, searchRefunds } from './refund-model.ts';
import type { Mutant } from './refund-model/state.ts';

const every = ['succeeded', 'pending', 'rejected', 'refused', 'empty'] as const;
const twoAtOnce: Scope = { refunds: ['full', 2n], workers: 1, manners: {} };
const lostAnswers: Scope = {
  refunds: ['full'],
  workers: 2,
  manners: { answers: ['succeeded', 'refused'], isSlow: true },
};
const agingKeys: Scope = {
  refunds: ['full'],
  workers: 2,
  manners: { answers: ['succeeded', 'refused'], listLags: true, ages: true },
};
const letters: Scope = {
  refunds: [2n],
  workers: 1,
  manners: {},
  letters: [
    { direction: 'loss', minor: 2n },
    { direction: 'loss', minor: 2n },
  ],
};
const othersTakeBack: Scope = { refunds: ['full'], workers: 1, manners: { takesBack: true } };

/** The least number of states: fewer would mean that the search was cut short. */
const scopes: readonly (readonly [string, Scope, number])[] = [
  [
    'two refunds at once, every answer, the fee returned',
    { ...twoAtOnce, manners: { answers: every }, refundFee: 'returned', availableMinor: 2n },
    140_000,
  ],
  [
    'three refunds beyond the balance',
    { ...twoAtOnce, refunds: ['full', 2n, 1n], availableMinor: 2n },
    2_500,
  ],
  [
    'two workers and slow calls',
    { ...lostAnswers, manners: { answers: ['succeeded', 'rejected', 'refused', 'empty'], isSlow: true } },
    20_000,
  ],
  [
    'two workers and keys that expire',
    { ...agingKeys, manners: { answers: ['pending', 'refused'], listLags: true, ages: true } },
    15_000,
  ],
  [
    'two workers and an empty account',
    { ...agingKeys, manners: { answers: ['succeeded', 'empty'], ages: true } },
    3_000,
  ],
  [
    'one worker, slow calls and keys that expire',
    { ...agingKeys, workers: 1, manners: { answers: every, isSlow: true, listLags: true, ages: true } },
    7_000,
  ],
  ['letters of chargebacks', letters, 100_000],
  ['a surplus that a person enters', { ...letters, letters: [{ direction: 'surplus', minor: 1n }] }, 10_000],
  ['captured money that others take back and return', othersTakeBack, 8_000],
];

describe('the refunds of a payment, searched exhaustively', () => {
  it.each(scopes)('have no violation with %s, and can always end', (_case, scope, least) => {
    const { states, violation, path } = searchRefunds(scope);
    expect({ violation, path }).toEqual({ violation: undefined, path: [] });
    expect(states).toBeGreaterThan(least);
  });

  const tooMuch = 'refunds and chargebacks are more than was received';
  const carriedOut = 'a failed refund was carried out';
  const nobody = 'a chargeback was found that nobody made';
  it.each<[Mutant, Scope, string]>([
    ['reserve_unconditional', { ...twoAtOnce, availableMinor: 6n }, tooMuch],
    ['reserve_beyond_balance', { ...twoAtOnce, availableMinor: 2n }, 'a balance is negative'],
    ['reserve_beside_chargeback', letters, tooMuch],
    ['enter_beside_refund', letters, tooMuch],
    ['unconfirmed_surplus_counts', letters, tooMuch],
    ['compare_open_refund', twoAtOnce, nobody],
    ['compare_view_first', twoAtOnce, nobody],
    ['fail_beside_new_call', lostAnswers, carriedOut],
    ['fail_on_refusal_despite_unanswered', lostAnswers, carriedOut],
    ['end_twice', lostAnswers, 'the totals of the payment are not the sums of its refunds'],
    [
      'pending_succeeds',
      { ...twoAtOnce, manners: { answers: ['pending'] } },
      'a refund succeeded that was not carried out',
    ],
    ['raise_unanswered', lostAnswers, 'refunded twice'],
    ['send_after_22_hours', agingKeys, 'a refund was sent after its key expired'],
    ['absence_after_22_hours', agingKeys, carriedOut],
  ])('finds what %s does', (mutant, scope, violation) => {
    expect(searchRefunds({ ...scope, mutant }).violation).toBe(violation);
  });
});
