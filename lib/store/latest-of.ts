import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Latest, LatestQuery } from '../latest.ts';
import { queryAll } from './query-all.ts';
import { type Table, tableSchema } from './table.ts';

const item = z.looseObject({ PK: z.string(), SK: z.string(), at: z.string() });
type IndexItem = z.infer<typeof item>;

/**
 * Returns the latest index items of a timeline before a time: the limit, one more if there is one, and all others of the oldest one's
 * time. Eventually consistent.
 */
export async function latestOfTimeline(
  table: Table,
  timeline: string,
  { before, limit }: LatestQuery,
): Promise<Latest<IndexItem>> {
  const { client, name: TableName } = table;
  const { name: IndexName } = tableSchema.timeline;
  const query = new QueryCommand({
    TableName,
    IndexName,
    KeyConditionExpression: 'timeline = :timeline AND #at < :before',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':timeline': timeline, ':before': before.toISOString() },
    ScanIndexForward: false,
    Limit: limit + 1,
  });
  const { Items: newestFirst = [] } = await client.send(query);
  const items = newestFirst.map((each) => item.parse(each)).toReversed();
  const [oldest] = items;
  if (oldest === undefined || items.length <= limit) return { items, completeFrom: undefined };
  const together = await queryAll(table, {
    IndexName,
    KeyConditionExpression: 'timeline = :timeline AND #at = :oldest',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':timeline': timeline, ':oldest': oldest.at },
  });
  const later = items.filter(({ at }) => at !== oldest.at);
  const complete = [...together.map((each) => item.parse(each)), ...later];
  return { items: complete, completeFrom: new Date(oldest.at) };
}
