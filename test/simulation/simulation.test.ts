import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from './harness/keys.ts';
import { mannerSets } from './harness/manner-sets.ts';
import { startTables, type Tables } from './harness/tables.ts';
import { run } from './run.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const aMinute = 60_000;

describe('under faults at every outside call', () => {
  it.each(keysOf(mannerSets))(
    'no money is lost, created or moved twice by providers with the manners %s',
    async (manners) => {
      const { violations } = await run(tables, { seed: 1, steps: 350, manners });
      expect(violations).toEqual([]);
    },
    2 * aMinute,
  );

  it(
    'no money is lost, created or moved twice with transactions that hold their items for some steps',
    async () => {
      const { violations } = await run(tables, { seed: 4, steps: 1000, locks: true });
      expect(violations).toEqual([]);
    },
    2 * aMinute,
  );

  it.each([
    ['with faults alone', { seed: 7, steps: 200 }],
    ['with transactions that hold their items', { seed: 5, steps: 350, locks: true }],
  ])(
    'a seed replays the same run %s',
    async (_what, options) => {
      const first = await run(tables, options);
      const again = await run(tables, options);
      expect([again.scheduler.trace, again.digest]).toEqual([first.scheduler.trace, first.digest]);
    },
    2 * aMinute,
  );
});
