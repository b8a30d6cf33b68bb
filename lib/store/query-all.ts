import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Condition = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** Returns every item that the condition matches, in key order, across DynamoDB's pages of 1 MB. */
export async function queryAll(
  { client, name: TableName }: Table,
  condition: Condition,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new QueryCommand({ TableName, ...condition, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}
