import { describe, expect, it } from 'vitest';
import { dynamoProviderCalls } from '../../lib/store/provider-calls.ts';
import { freshTable } from '../support/dynamo.ts';

const at = (ms: number): Date => new Date(Date.parse('2030-06-15T12:00:00Z') + ms);

/** Two functions, each with its own memory of what it saw, on one table. */
async function twoFunctions() {
  const table = await freshTable();
  return [dynamoProviderCalls(table), dynamoProviderCalls(table)] as const;
}

const take = (calls: ReturnType<typeof dynamoProviderCalls>, ms: number, perSecond = 3) =>
  calls.take('yookassa', { perSecond, now: at(ms) });

describe('the calls to a provider', () => {
  it('are at most so many in a second, over all functions; the next waits for the next second', async () => {
    const [one, other] = await twoFunctions();
    expect([await take(one, 0), await take(other, 100), await take(one, 200)]).toEqual([0, 0, 0]);
    expect([await take(one, 300), await take(other, 999)]).toEqual([700, 1]);
    expect([await take(other, 1000), await take(one, 1000)]).toEqual([0, 0]);
  });

  it('are counted once each, whoever calls at the same time', async () => {
    const [one, other] = await twoFunctions();
    const waits = await Promise.all(Array.from({ length: 20 }, (_, n) => take(n % 2 ? one : other, 0, 7)));
    // A caller that lost both races is told to try again at once.
    const again = await Promise.all(waits.filter((wait) => wait === 1).map(() => take(one, 0, 7)));
    expect([...waits, ...again].filter((wait) => wait === 0)).toHaveLength(7);
  });

  it('of one provider do not delay another', async () => {
    const [one] = await twoFunctions();
    expect(await take(one, 0, 1)).toBe(0);
    expect(await take(one, 0, 1)).toBe(1000);
    expect(await one.take('sandbox', { perSecond: 1, now: at(0) })).toBe(0);
  });

  it('stop for every function during a pause, and go on after it', async () => {
    const [one, other] = await twoFunctions();
    await one.pause('yookassa', at(5_000));
    expect([await take(one, 0), await take(other, 1_500)]).toEqual([5_000, 3_500]);
    expect(await take(other, 5_000)).toBe(0);
  });

  it('stay paused when a shorter pause is asked for', async () => {
    const [one, other] = await twoFunctions();
    await one.pause('yookassa', at(5_000));
    await other.pause('yookassa', at(1_000));
    expect(await take(other, 2_000)).toBe(3_000);
  });

  it('are not stopped by a function whose clock is a minute ahead', async () => {
    const [one, other] = await twoFunctions();
    await take(one, 60_000, 1);
    expect(await take(other, 0, 1)).toBe(0);
  });

  it('of a clock that is a little ahead count in its second', async () => {
    const [one, other] = await twoFunctions();
    await take(one, 1_100, 2);
    expect(await take(other, 900, 2)).toBe(0);
    expect(await take(other, 900, 2)).toBe(1_100);
  });
});
