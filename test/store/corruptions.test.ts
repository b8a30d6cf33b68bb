import { afterAll, beforeAll, expect, it } from 'vitest';
import { asEarlierVersion } from '../simulation/corruptions/earlier-version.ts';
import { Installation } from '../simulation/corruptions/installation.ts';
import { CorruptibleTable } from '../simulation/corruptions/items.ts';
import { startTables, type Tables } from '../simulation/harness/tables.ts';
import { differencesIn } from '../support/audit.ts';

let tables: Tables;
let made: Installation;
let table: CorruptibleTable;
beforeAll(async () => {
  tables = await startTables();
  made = await Installation.make(tables);
  table = await CorruptibleTable.of(made);
});
afterAll(() => tables.stop());

async function findings(): Promise<readonly string[]> {
  const differences = await differencesIn({ table: table.table, now: () => made.world.now });
  return differences.map(({ invariant, about, text }) => table.named(`${invariant}: ${about}: ${text}`));
}

it('finds nothing in an installation that the use cases wrote', async () => {
  expect(await findings()).toEqual([]);
});

it('finds nothing in items of earlier versions', async () => {
  const found = await table.while((items) => {
    for (const item of items.all()) items.replace(item, asEarlierVersion(item));
  }, findings);
  expect(found).toEqual([]);
});
