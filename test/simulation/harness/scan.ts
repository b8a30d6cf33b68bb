import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../lib/store/table.ts';

/** Every item of the table, by its key. */
export async function scan({ client, name: TableName }: Table): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  // The store returns items in any order; runs must not depend on it.
  const name = ({ PK, SK }: Record<string, unknown>) => `${String(PK)} ${String(SK)}`;
  return items.sort((one, other) => (name(one) < name(other) ? -1 : 1));
}
