import { expect, it } from 'vitest';
import { conflict, retryOnConflict, tooManyConflicts } from '../../lib/retry-on-conflict.ts';

/** Loses its first `lost` rounds, and counts all of them. */
function losing(lost: number) {
  const made = { rounds: 0 };
  const attempt = async () => {
    made.rounds += 1;
    return made.rounds > lost ? 'written' : conflict;
  };
  return { made, attempt };
}

it('an attempt that meets no conflict is made once', async () => {
  const { made, attempt } = losing(0);
  expect(await retryOnConflict(attempt, { exhausted: tooManyConflicts('It') })).toBe('written');
  expect(made.rounds).toBe(1);
});

it('an attempt that lost is made again, up to the last round', async () => {
  const { made, attempt } = losing(2);
  const lastRoundWins = retryOnConflict(attempt, { rounds: 3, exhausted: tooManyConflicts('It') });
  expect(await lastRoundWins).toBe('written');
  expect(made.rounds).toBe(3);
});

it('after the last lost round it says what was changed by others', async () => {
  const { made, attempt } = losing(9);
  await expect(
    retryOnConflict(attempt, { rounds: 3, exhausted: tooManyConflicts('The merchant') }),
  ).rejects.toThrow('The merchant was changed by another writer in every round');
  expect(made.rounds).toBe(3);
});

it('or answers what its caller says then', async () => {
  expect(await retryOnConflict(losing(9).attempt, { exhausted: () => 'busy' })).toBe('busy');
});
