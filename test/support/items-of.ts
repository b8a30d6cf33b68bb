import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lib/store/table.ts';

type Item = { readonly PK: string; readonly SK: string; readonly [attribute: string]: unknown };

/** Returns all items of the table in a fixed order: two reads differ only if something was written. */
export async function itemsOf({
  client,
  name: TableName,
}: Pick<Table, 'client' | 'name'>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    for (const item of page.Items ?? [])
      items.push({ ...item, PK: String(item['PK']), SK: String(item['SK']) });
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items.toSorted((a, b) => (a.PK + a.SK < b.PK + b.SK ? -1 : 1));
}
