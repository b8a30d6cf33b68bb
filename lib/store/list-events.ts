import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { eventShards, restingList, sendingList } from './event-item.ts';
import type { Table } from './table.ts';

/** More than this of one shard waits for the next minute, so that one sweep ends within its own. */
const perShard = 100;

const listed = z.object({ PK: z.string(), SK: z.string(), workDue: z.string() });
export type Listed = z.infer<typeof listed>;

/** The keys of events that the sweeper should send by now, the longest overdue of each shard first. */
export async function dueKeys(table: Table, now: Date): Promise<readonly Listed[]> {
  const due = { until: now.toISOString(), Limit: perShard };
  const lists = await Promise.all(eventShards.map((shard) => onePage(table, sendingList(shard), due)));
  return lists.flatMap(({ keys }) => keys);
}

/** The keys of everything undelivered, whenever it is due. */
export async function undeliveredKeys(table: Table): Promise<readonly Listed[]> {
  const lists = eventShards.flatMap((shard) => [sendingList(shard), restingList(shard)]);
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

async function onePage({ client, name }: Table, list: string, { until, ...part }: Part) {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: name,
      IndexName: 'WORK',
      KeyConditionExpression: 'workList = :list AND workDue <= :until',
      ExpressionAttributeValues: { ':list': list, ':until': until },
      ...part,
    }),
  );
  return { keys: Items.map((item) => listed.parse(item)), next: LastEvaluatedKey };
}
