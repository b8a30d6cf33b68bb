import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../lib/ids.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { balanceKey } from '../../lib/store/balance-item.ts';
import { dynamoBalanceBooks } from '../../lib/store/balance-books.ts';
import { credit } from '../../lib/store/balances.ts';
import { entryKey, putEntry, timelineOf } from '../../lib/store/entry-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { transact } from '../../lib/store/transact.ts';
import { differencesIn } from '../support/audit.ts';
import { merchantId, today } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';

const other = toMerchantId('OtherMerchant001');
const now = () => today;
const months = [0, 1, 2].map((ago) => new Date(Date.UTC(2026, 10 - ago, 2)));

const captureOf = (merchant: typeof merchantId, at: Date): Entry => ({
  about: `payment-${merchant}-${at.getUTCMonth()}`,
  kind: 'CAPTURE',
  merchantId: merchant,
  lines: [
    { account: 'acquirer', currency: 'RUB', minor: -100n },
    { account: 'available', currency: 'RUB', minor: 100n },
  ],
  at,
  adjustment: undefined,
});

/** Two merchants with an entry in each of three months. */
async function aTable(): Promise<Table> {
  const table = await freshTable();
  for (const merchant of [merchantId, other])
    for (const at of months)
      await transact(table, [
        putEntry(table, captureOf(merchant, at)),
        credit(table, merchant, { currency: 'RUB', minor: 100n }),
      ]);
  return table;
}

/** What the audit says of balances. The entries have no payments, which it says as well. */
const said = async (table: Table) =>
  (await differencesIn({ table, now }))
    .filter(({ invariant }) => invariant === 'balance_matches_journal')
    .map(({ text }) => text);

describe('the audit of balances', () => {
  it('finds nothing when each is the sum of its journal, over months', async () => {
    expect(await said(await aTable())).toEqual([]);
  });

  it('finds a balance that is gone, once', async () => {
    const { client, name: TableName, ...table } = await aTable();
    await client.send(new DeleteCommand({ TableName, Key: balanceKey(merchantId, 'RUB') }));
    expect(await said({ client, name: TableName, ...table })).toEqual([
      `balance ${merchantId} RUB available is 0.00, but its journal lines sum to 3.00`,
    ]);
  });

  it('finds a balance in a currency that no entry has', async () => {
    const table = await aTable();
    await transact(table, [credit(table, other, { currency: 'USD', minor: 5n })]);
    expect(await said(table)).toEqual([
      `balance ${other} USD available is 0.05, but its journal lines sum to 0.00`,
    ]);
  });

  it('finds money moved from one account to another of the same balance', async () => {
    const table = await aTable();
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: balanceKey(merchantId, 'RUB'),
        UpdateExpression: 'SET available = available - :some, reserved = :some',
        ExpressionAttributeValues: { ':some': 40 },
      }),
    );
    expect(await said(table)).toEqual([
      `balance ${merchantId} RUB available is 2.60, but its journal lines sum to 3.00`,
      `balance ${merchantId} RUB reserved is 0.40, but its journal lines sum to 0.00`,
    ]);
  });

  it('does not count what another merchant’s entry would move on the timeline that it was put on', async () => {
    const table = await aTable();
    const entry = captureOf(toMerchantId('ThirdMerchant001'), today);
    const timeline = timelineOf(merchantId, 'RUB', '202611');
    const Item = { ...entryKey(entry), ...entry, at: today.toISOString(), timeline };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect(await said(table)).toEqual([]);
  });
});

describe('the names of balances', () => {
  const namesOf = async (table: Table, after?: string) => {
    for await (const page of dynamoBalanceBooks(table).names({ merchantId: undefined }, after)) return page;
    return undefined;
  };

  it('are those that ever moved', async () => {
    const table = await aTable();
    const names = [merchantId, other].map((merchant) => ({ merchantId: merchant, currency: 'RUB' }));
    expect(await namesOf(table)).toEqual({ names: expect.arrayContaining(names), next: undefined });
  });

  it('continue from a cursor, and refuse other text', async () => {
    const table = await aTable();
    const { PK, SK } = balanceKey(merchantId, 'RUB');
    const key = { PK, SK, workList: 'W#BAL#00', workDue: new Date(0).toISOString() };
    const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
    expect(await namesOf(table, cursor)).toEqual({
      names: [{ merchantId: other, currency: 'RUB' }],
      next: undefined,
    });
    await expect(namesOf(table, 'x')).rejects.toThrow('cursor');
  });
});
