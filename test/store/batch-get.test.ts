import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { batchGet } from '../../lib/store/batch-get.ts';
import { freshTable } from '../support/dynamo.ts';

it('reads an item once that an index named twice while it moved', async () => {
  const table = await freshTable();
  const Item = { PK: 'E#1', SK: 'E' };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  expect(await batchGet(table, [Item, { PK: 'E#2', SK: 'E' }, Item])).toEqual([Item]);
});
