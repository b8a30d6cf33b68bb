import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Key = { readonly PK: string; readonly SK: string };

/** Reads one item, strongly consistent; undefined when it does not exist. */
export async function getItem<T>(
  { client, name: TableName }: Table,
  Key: Key,
  read: (raw: unknown) => T,
): Promise<T | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item && read(Item);
}
