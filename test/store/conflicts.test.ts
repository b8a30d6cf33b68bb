import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { transact } from '../../lib/store/transact.ts';
import { freshTable, proxyWith } from '../support/dynamo.ts';
import { itemsOf } from '../support/items-of.ts';

/** Much longer than a call; no test waits for it. Overlapping calls are sent together. */
const lockMs = 100;
const a = { PK: 'A', SK: 'I' };
const b = { PK: 'B', SK: 'I' };

async function table() {
  const opened = await freshTable({ lockMs });
  const { client, name: TableName } = opened;
  const count = (Key: typeof a) => ({
    TableName,
    Key,
    UpdateExpression: 'ADD applied :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
  const both = (ClientRequestToken?: string) =>
    client.send(
      new TransactWriteCommand({
        ClientRequestToken,
        TransactItems: [{ Update: count(a) }, { Update: count(b) }],
      }),
    );
  const others = (token?: string) =>
    client.send(
      new TransactWriteCommand({
        ClientRequestToken: token,
        TransactItems: [{ Put: { TableName, Item: { PK: 'C', SK: 'I' } } }, { Update: count(b) }],
      }),
    );
  const applied = async () => (await itemsOf(opened)).filter(({ PK }) => PK === 'B')[0]?.['applied'];
  /** Each over its own open connection, so that they arrive in order. */
  const held = async () => {
    const { counts } = await proxyWith(lockMs);
    const before = counts.transactions;
    const first = both(TableName);
    await expect.poll(() => counts.transactions, { interval: 1 }).toBe(before + 1);
    return { first };
  };
  return { ...opened, TableName, count, both, others, applied, held };
}

describe('while a transaction holds an item', () => {
  it('another transaction on the item is cancelled with the reason at its step', async () => {
    const { held, others, applied } = await table();
    const { first } = await held();
    await expect(others()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    await first;
    expect(await applied()).toBe(1);
  });

  it('transactions on other items and reads succeed', async () => {
    const { held, client, TableName } = await table();
    const { first } = await held();
    await client.send(new PutCommand({ TableName, Item: { PK: 'D', SK: 'I' } }));
    await client.send(new GetCommand({ TableName, Key: a, ConsistentRead: true }));
    await client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [a, b] } } }));
    await first;
  });

  it('a transaction of reads is cancelled', async () => {
    const { held, client, TableName } = await table();
    const { first } = await held();
    const read = new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: a } }] });
    // The retrying client retries only errors that a retry may resolve, and this one is not among them.
    await expect(client.send(read)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    await first;
  });

  it('a plain write to the item is rejected and retried until it succeeds', async () => {
    const { held, client, count, applied } = await table();
    const { counts } = await proxyWith(lockMs);
    const before = counts.writesRefused;
    const { first } = await held();
    await client.send(new UpdateCommand(count(b)));
    await first;
    expect(counts.writesRefused).toBeGreaterThan(before);
    expect(await applied()).toBe(2);
  });

  it('its own repetition is recognized by its token: reported as in progress, and not applied twice', async () => {
    const { held, both, applied, TableName } = await table();
    const { first } = await held();
    await expect(both(TableName)).rejects.toMatchObject({ name: 'TransactionInProgressException' });
    await first;
    await both(TableName);
    expect(await applied()).toBe(1);
  });

  it('transact retries until the item is free', async () => {
    const { held, applied, ...opened } = await table();
    const { first } = await held();
    expect(await transact(opened, [{ write: { Update: opened.count(b) } }])).toMatchObject({ ok: true });
    await first;
    expect(await applied()).toBe(2);
  });
});
