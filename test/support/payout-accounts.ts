import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lib/store/table.ts';
import { itemsOf } from './items-of.ts';

/** Restores stored accounts to their form before number hashes were recorded. */
export async function withoutNumberHashes(table: Table): Promise<void> {
  const { client, name: TableName } = table;
  for (const { PK, SK } of await itemsOf(table)) {
    const Key = { PK, SK };
    if (SK.startsWith('PN#')) await client.send(new DeleteCommand({ TableName, Key }));
    if (SK.startsWith('PA#'))
      await client.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE numberHash' }));
  }
}
