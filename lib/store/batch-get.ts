import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Key = { readonly PK: string; readonly SK: string };

const atOnce = 100;

/** The items behind the keys, those that exist, in no order. What a busy table leaves out is asked for again. */
export async function batchGet({ client, name }: Table, keys: readonly Key[]): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let left: readonly Record<string, unknown>[] = keys.map(({ PK, SK }) => ({ PK, SK }));
  while (left.length > 0) {
    const asked = left.slice(0, atOnce);
    const request = { RequestItems: { [name]: { Keys: asked, ConsistentRead: true } } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand(request));
    items.push(...(Responses?.[name] ?? []));
    left = [...(UnprocessedKeys?.[name]?.Keys ?? []), ...left.slice(atOnce)];
  }
  return items;
}
