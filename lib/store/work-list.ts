import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from './table.ts';

const listed = z.object({ PK: z.string(), SK: z.string(), workDue: z.string() });

/** What the work index (lib/store/README.md) contains of an item. It is eventually consistent. */
export type Listed = z.infer<typeof listed>;

/** Returns what is due on these lists, at most `limit` of each, the longest overdue first. */
export async function dueOn(
  table: Table,
  lists: readonly string[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly Listed[]> {
  const pages = lists.map((list) => onePage(table, list, { until: now.toISOString(), Limit: limit }));
  const keys = (await Promise.all(pages)).flatMap((page) => page.keys);
  return keys.toSorted((a, b) => Date.parse(a.workDue) - Date.parse(b.workDue));
}

/** Returns everything on these lists, whenever it is due. */
export async function everythingOn(table: Table, lists: readonly string[]): Promise<readonly Listed[]> {
  return (await Promise.all(lists.map((list) => allPages(table, list)))).flat();
}

async function allPages(table: Table, list: string): Promise<readonly Listed[]> {
  const keys: Listed[] = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await onePage(table, list, { until: 'Z', ExclusiveStartKey });
    keys.push(...page.keys);
    ExclusiveStartKey = page.next;
  } while (ExclusiveStartKey);
  return keys;
}

type Part = { readonly until: string } & Pick<QueryCommandInput, 'Limit' | 'ExclusiveStartKey'>;

async function onePage({ client, name: TableName }: Table, list: string, { until, ...part }: Part) {
  const query = new QueryCommand({
    TableName,
    IndexName: 'WORK',
    KeyConditionExpression: 'workList = :list AND workDue <= :until',
    ExpressionAttributeValues: { ':list': list, ':until': until },
    ...part,
  });
  const { Items = [], LastEvaluatedKey } = await client.send(query);
  return { keys: Items.map((item) => listed.parse(item)), next: LastEvaluatedKey };
}
