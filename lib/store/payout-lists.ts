import { QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Payout } from '../payout/payout.ts';
import type { DuePayout } from '../payout/ports.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import {
  dispatchList,
  errorList,
  moderationList,
  payoutIdFrom,
  payoutKey,
  payoutShards,
  toPayout,
} from './payout-item.ts';
import type { Table } from './table.ts';
import { unlessRefused } from './unless-refused.ts';

const listed = z.object({ PK: z.string(), SK: z.string(), workDue: z.string() });

/** More than this of one shard waits for the next minute, so that one sweep ends within its own. */
const perShard = 100;

/** What the dispatcher should look at by now, the longest overdue of each shard first. */
export async function duePayouts(table: Table, now: Date): Promise<readonly DuePayout[]> {
  const until = now.toISOString();
  const lists = payoutShards.map((shard) => onePage(table, dispatchList(shard), { until, Limit: perShard }));
  return (await Promise.all(lists))
    .flatMap(({ keys }) => keys)
    .map((key) => ({ id: payoutIdFrom(key), seenDue: new Date(key.workDue) }));
}

/** Moves it on in the list only, and only if nobody has touched it since. */
export async function postponePayout(
  { client, name: TableName }: Table,
  { id, seenDue }: DuePayout,
  until: Date,
): Promise<void> {
  const { ExpressionAttributeValues: values, ...change } = assign({ workDue: until.toISOString() });
  const update = new UpdateCommand({
    TableName,
    Key: payoutKey(id),
    ...change,
    ConditionExpression: '#workDue = :seen',
    ExpressionAttributeValues: { ...values, ':seen': seenDue.toISOString() },
  });
  await unlessRefused(client.send(update));
}

const waitingLists = { MODERATING: moderationList, ERROR: errorList } as const;

/** What waits for a person, the oldest first. The index may be a moment old, so each payout is read. */
export async function listWaiting(
  table: Table,
  status: keyof typeof waitingLists,
): Promise<readonly Payout[]> {
  const keys = await allPages(table, waitingLists[status]);
  const payouts = (await batchGet(table, keys)).map(toPayout).filter((payout) => payout.status === status);
  return payouts.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

async function allPages(table: Table, list: string) {
  const keys: z.infer<typeof listed>[] = [];
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
