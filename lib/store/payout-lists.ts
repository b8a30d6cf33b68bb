import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PayoutId } from '../ids.ts';
import type { Payout } from '../payout/payout.ts';
import type { DuePayout } from '../payout/ports.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { isKnownAccount, knownAccountKey } from './payout-claims.ts';
import { dispatchList, errorList, moderationList, payoutIdFrom, payoutKey, toPayout } from './payout-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn } from './work-list.ts';

/** The most of one shard per sweep, so that a sweep ends within its minute; the rest waits for the next. */
const perShard = 100;

/** Returns the payouts that the dispatcher should handle now, the longest overdue first. */
export async function duePayouts(table: Table, now: Date): Promise<readonly DuePayout[]> {
  const keys = await dueOn(table, shards.map(dispatchList), { now, limit: perShard });
  return keys.map((key) => ({ id: payoutIdFrom(key), seenDue: new Date(key.workDue) }));
}

/** Returns the oldest payout that waits for moderation, if it was created at or before `createdBy`. */
export async function oldestModerating(
  table: Table,
  createdBy: Date,
): Promise<Pick<Payout, 'id'> | undefined> {
  const [oldest] = await dueOn(table, [moderationList], { now: createdBy, limit: 1 });
  return oldest && { id: payoutIdFrom(oldest) };
}

/** Postpones the payout on the work list only, unless it has moved there since it was read. */
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
  await conditionalWrite(client.send(update));
}

const waitingLists = { MODERATING: moderationList, ERROR: errorList } as const;

/** Returns the payouts that wait for a person, oldest first. The index is eventually consistent, so each is read from the table. */
export async function listWaiting(
  table: Table,
  status: keyof typeof waitingLists,
): Promise<readonly Payout[]> {
  const keys = await everythingOn(table, [waitingLists[status]]);
  const payouts = (await batchGet(table, keys)).map(toPayout).filter((payout) => payout.status === status);
  return payouts.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** Returns the ids of the payouts to known accounts, by one batch read. */
export async function toKnownAccounts(
  table: Table,
  payouts: readonly Payout[],
): Promise<ReadonlySet<PayoutId>> {
  const keyOf = ({ merchantId, accountHash }: Payout) => knownAccountKey(merchantId, accountHash);
  const marks = await batchGet(table, payouts.map(keyOf));
  const known = new Set(marks.filter(isKnownAccount).map((mark) => partition.parse(mark).PK));
  return new Set(payouts.filter((payout) => known.has(keyOf(payout).PK)).map(({ id }) => id));
}

const partition = z.object({ PK: z.string() });
