import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corruptions } from './corruptions/all.ts';
import { startTables, type Tables } from './harness/tables.ts';
import { mutants } from './mutants/all.ts';
import { patched } from './mutants/bundle.ts';
import { play, scenarios } from './mutants/scenarios.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

describe('scenarios find no violation in the unpatched code', () => {
  it.each(scenarios)('%s', async (scenario) => {
    const { violations } = await play(tables, scenario);
    expect(violations).toEqual([]);
  });
});

describe('the list of mutants', () => {
  it.each(mutants.map(({ name, patches }) => [name, patches] as const))(
    'finds the source of %s',
    async (_name, patches) => {
      await expect(patched(patches)).resolves.toBeDefined();
    },
  );

  it('names each once', () => {
    const names = mutants.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('names corruptions that there are', () => {
    const names = corruptions.map(({ name }) => name);
    expect(mutants.flatMap(({ by }) => ('corruption' in by ? [by.corruption] : []))).toSatisfy(
      (named: readonly string[]) => named.every((each) => names.includes(each)),
    );
  });
});
