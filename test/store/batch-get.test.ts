import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { Table } from '../../lib/store/table.ts';
import { batchGet } from '../../lib/store/batch-get.ts';
import { freshTable } from '../support/dynamo.ts';

it('reads an item once when an index lists it twice while it moves', async () => {
  const table = await freshTable();
  const Item = { PK: 'E#1', SK: 'E' };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  expect(await batchGet(table, [Item, { PK: 'E#2', SK: 'E' }, Item])).toEqual([Item]);
});

/** A throttled table: each request leaves all keys but the first unprocessed. */
async function busyTable(timesLeft: number) {
  const { client, name } = await freshTable();
  const Items = ['1', '2', '3'].map((id) => ({ PK: `E#${id}`, SK: 'E' }));
  for (const Item of Items) await client.send(new PutCommand({ TableName: name, Item }));
  const send = client.send.bind(client);
  const pauses: number[] = [];
  const asked: number[] = [];
  const busy = Object.assign(Object.create(client), {
    async send(command: BatchGetCommand) {
      const Keys = command.input.RequestItems?.[name]?.Keys ?? [];
      asked.push(Keys.length);
      if (asked.length > timesLeft) return send(command);
      const [first, ...others] = asked.length % 2 === 0 ? [undefined, ...Keys] : Keys;
      const RequestItems = { [name]: { Keys: first ? [first] : [], ConsistentRead: true } };
      const answer = first ? await send(new BatchGetCommand({ RequestItems })) : {};
      return { ...answer, UnprocessedKeys: { [name]: { Keys: others, ConsistentRead: true } } };
    },
  });
  const table: Table = {
    client: busy,
    name,
    backOff: () => async (retry) => {
      pauses.push(retry);
      return retry < 3;
    },
  };
  return { table, Items, pauses, asked };
}

it('retries unprocessed keys with a backoff that grows while no item arrives', async () => {
  const { table, Items, pauses, asked } = await busyTable(3);
  const found = await batchGet(table, Items);
  expect(found).toHaveLength(3);
  expect(found).toEqual(expect.arrayContaining(Items));
  expect(asked).toEqual([3, 2, 2, 1]);
  expect(pauses).toEqual([1, 2, 1]);
});

it('throws when keys are still unprocessed at the time limit', async () => {
  const { table, Items } = await busyTable(100);
  const { client } = table;
  const deaf = Object.assign(Object.create(client), {
    send: async () => ({ UnprocessedKeys: { [table.name]: { Keys: Items } } }),
  });
  await expect(batchGet({ ...table, client: deaf }, Items)).rejects.toThrow('still unprocessed');
});
