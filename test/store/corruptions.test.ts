import type { Table } from '../../lib/store/table.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corruptions } from '../simulation/corruptions/all.ts';
import { CorruptibleInstallation, namesOf, recorded } from '../simulation/corruptions/corruptible.ts';
import { asEarlierVersion } from '../simulation/corruptions/earlier-version.ts';
import { Installation } from '../simulation/corruptions/installation.ts';
import { startTables, type Tables } from '../simulation/harness/tables.ts';

let tables: Tables;
let installation: CorruptibleInstallation;
let table: Table;
beforeAll(async () => {
  tables = await startTables();
  const made = await Installation.make(tables);
  ({ table } = made.world);
  installation = new CorruptibleInstallation(await recorded(made));
});
afterAll(() => tables.stop());

it('finds nothing in an installation that the use cases wrote', async () => {
  expect(await installation.findingsInTable(table)).toEqual([]);
  expect(await installation.findings()).toEqual([]);
});

it('finds nothing in items of earlier versions', async () => {
  const found = await installation.findings((items) => {
    for (const item of items.all()) items.replace(item, asEarlierVersion(item));
  });
  expect(found).toEqual([]);
});

describe('finds', () => {
  it.each(corruptions.filter(({ finds }) => finds.length > 0))('$name', async ({ does, finds }) => {
    const found = await installation.findings(does);
    const texts = found.map(({ text }) => text).join('\n');
    expect(namesOf(found), texts).toEqual(finds);
  });
});

describe('takes for an item of an earlier version', () => {
  it.each(corruptions.filter(({ finds }) => finds.length === 0))('$name', async ({ does }) => {
    expect(await installation.findings(does)).toEqual([]);
  });
});
