import { expect, it } from 'vitest';
import { backOff } from '../../lib/runtime/back-off.ts';
import { databaseConfig, requestHandler, withDeadline } from '../../lib/runtime/deadlines.ts';

const inTime = (remainingMs: number) =>
  withDeadline(
    () => remainingMs,
    async () => backOff()(1),
  );

it('a call is tried again while the function has time for another attempt and its answer', async () => {
  expect(await inTime(10_000)).toBe(true);
  expect(await backOff()(1)).toBe(true);
});

it('and given up before the function would be ended', async () => {
  expect(await inTime(requestHandler.requestTimeout)).toBe(false);
  expect(await inTime(0)).toBe(false);
});

it('the SDK repeats nothing by itself: it would not tell of an attempt whose answer was lost', () => {
  expect(databaseConfig.maxAttempts).toBe(1);
});
