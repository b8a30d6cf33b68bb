import { DeleteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toBillId } from '../../lib/ids.ts';
import { auditItem } from '../../lib/store/audit-items.ts';
import { billKey } from '../../lib/store/bill-item.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoListHistory } from '../../lib/store/list-history.ts';
import { dynamoListMigrations } from '../../lib/store/list-migrations.ts';
import type { Table } from '../../lib/store/table.ts';
import { type Migration, migrateLists } from '../../lib/search/migrate-lists.ts';
import { aBill, merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { operatorHarness, terminal } from '../support/operator.ts';
import { created } from '../support/payout-harness.ts';

const billIds = ['one', 'two', 'three'].map((name) => toBillId(name.padEnd(16, '0')));

/** Takes from an item what the version before did not write. */
const removeKeys = ({ client, name: TableName }: Table, Key: Readonly<Record<'PK' | 'SK', string>>) =>
  client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'REMOVE #list, listAt',
      ExpressionAttributeNames: { '#list': 'list' },
    }),
  );

/** Bills of an order and a payout, as the version before the lists stored them, and as this version does. */
async function anOlderInstallation() {
  const harness = await operatorHarness();
  const { table, now } = harness;
  for (const id of billIds) await dynamoBills(table, now).create(aBill({ id, orderId: 'order-1' }), [], []);
  await created(harness);
  const current = await itemsOf(table);
  for (const { PK, SK, list } of current) {
    const Key = { PK, SK };
    if (PK.startsWith('OL#') && SK.startsWith('B#'))
      await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    else if (list !== undefined) await removeKeys(table, Key);
  }
  const older = await itemsOf(table);
  expect(older.some(({ list }) => list !== undefined)).toBe(false);
  return { harness, table, current, older };
}

const apartFromState = async (table: Table) =>
  (await itemsOf(table)).filter(({ PK }) => !PK.startsWith('MIGRATION#'));

describe('migrate', () => {
  it('gives older items the keys that new ones are written with, and ends in a sentence', async () => {
    const { harness, table, current } = await anOlderInstallation();
    const history = dynamoListHistory(table);
    expect(await history.incompleteBefore(merchantId, harness.now())).toEqual(harness.now());

    const { exitCode, said } = await harness.type('migrate');

    expect([exitCode, said]).toEqual([
      0,
      expect.stringMatching(
        /^Every item is on its list since .*Z: \d+ items read, .*3 bills.*1 payout.* given keys\. Searches have everything\.$/,
      ),
    ]);
    expect(await apartFromState(table)).toEqual(current);
    expect(await history.incompleteBefore(merchantId, harness.now())).toBeUndefined();
  });

  it('goes on where it was interrupted, and says from where', async () => {
    const { harness, table, current, older } = await anOlderInstallation();
    const listMigrations = dynamoListMigrations(table, 4);
    const ports = { now: harness.now, wait: harness.wait, listMigrations };
    const at: Migration[] = [];
    const one = { again: false, perSecond: 500, mayGoOn: (migration: Migration) => at.push(migration) > 1 };
    for (let last = await migrateLists(ports, one); !last.endedAt; ) last = await migrateLists(ports, one);
    expect(at.length).toBeGreaterThan(2);
    expect(new Set(at.map(({ cursor }) => cursor)).size).toBe(at.length);
    expect(await apartFromState(table)).toEqual(current);
    expect((await listMigrations.find())?.read).toBeGreaterThanOrEqual(older.length);
  });

  it('says how to go on when a person interrupts it', async () => {
    const { harness, table } = await anOlderInstallation();
    const context = { ...harness.context, listMigrations: dynamoListMigrations(table, 4) };
    const { exitCode, said } = await terminal(context, { isInterrupted: true }).type('migrate');
    expect([exitCode, said]).toEqual([
      1,
      expect.stringMatching(
        /^Interrupted: 4 items read, .*; cursor \S+\. Go on with: npm run paylink -- .*migrate$/,
      ),
    ]);
  });

  it('writes as slowly as it is told to', async () => {
    const { harness, table } = await anOlderInstallation();
    const waited: number[] = [];
    const wait = async (ms: number) => void waited.push(ms);
    const listMigrations = dynamoListMigrations(table, 4);
    const how = { again: false, perSecond: 2, mayGoOn: () => true };
    const { given } = await migrateLists({ listMigrations, now: harness.now, wait }, how);
    const written = Object.values(given).reduce((sum, count) => sum + count, 0);
    const inAll = waited.reduce((sum, ms) => sum + ms, 0);
    expect(inAll).toBeGreaterThanOrEqual((written - 4) * 500);
  });

  it('neither creates an item that is gone, nor changes keys that were written meanwhile', async () => {
    const { harness, table } = await anOlderInstallation();
    const [gone, listed] = billIds.map(billKey);
    const send = table.client.send.bind(table.client);
    const client = Object.assign(Object.create(table.client), {
      async send(command: ScanCommand) {
        const answer = await send(command);
        if (!(command instanceof ScanCommand)) return answer;
        await send(new DeleteCommand({ TableName: table.name, Key: gone! }));
        await send(
          new UpdateCommand({
            TableName: table.name,
            Key: listed!,
            UpdateExpression: 'SET #list = :x, listAt = :x',
            ExpressionAttributeNames: { '#list': 'list' },
            ExpressionAttributeValues: { ':x': 'as it was written' },
          }),
        );
        return answer;
      },
    });
    const listMigrations = dynamoListMigrations({ ...table, client });
    const how = { again: false, perSecond: 500, mayGoOn: () => true };
    await migrateLists({ ...harness.context, listMigrations }, how);
    const items = await itemsOf(table);
    expect(items.find(({ PK, SK }) => PK === gone?.PK && SK === 'B')).toBeUndefined();
    expect(items.find(({ PK, SK }) => PK === listed?.PK && SK === 'B')).toMatchObject({
      list: 'as it was written',
    });
  });

  it('does nothing when it has ended, and begins anew when told that an earlier version has run since', async () => {
    const { harness, table } = await anOlderInstallation();
    await harness.type('migrate');
    const [lost] = billIds.map(billKey);
    await removeKeys(table, lost!);
    const found = async () => (await itemsOf(table)).find(({ PK, SK }) => PK === lost?.PK && SK === 'B');

    await harness.type('migrate');
    expect(await found()).not.toHaveProperty('list');
    const flawed = await harness.type('audit');
    expect([flawed.exitCode, flawed.said]).toEqual([
      1,
      expect.stringContaining(`bill ${billIds[0]} is on no list: migrate --again`),
    ]);

    await harness.type('migrate --again');
    expect(await found()).toHaveProperty('list');
    expect((await harness.type('audit')).said).not.toContain(`bill ${billIds[0]} is on no list`);
  });
});

it('an item without keys is no difference before the migration has ended', async () => {
  const { older } = await anOlderInstallation();
  for (const item of older) {
    expect(auditItem(item).records.filter(({ kind }) => kind === 'misfiled')).toEqual([]);
  }
});
