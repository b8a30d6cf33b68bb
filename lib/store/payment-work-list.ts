import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { awaitsAcquirer, type LateQuery, type Payment } from '../payment/payment.ts';
import type { DuePayment } from '../payment/ports.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import {
  afterCaptureList,
  listedAt,
  paymentIdOfKey,
  paymentKey,
  paymentList,
  toPayment,
  waitingAttributes,
} from './payment-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn } from './work-list.ts';

/** The most of one shard per sweep, so that a sweep ends within its minute; the rest waits for the next. */
const perShard = 200;
const paymentLists = shards.map(paymentList);
const afterCaptureLists = shards.map(afterCaptureList);

/**
 * Returns the payments that the sweep should queue now, the longest overdue first; after all whose outcome is open those that are
 * checked after the capture, so that very many of these delay no payer.
 */
export async function duePayments(table: Table, now: Date): Promise<readonly DuePayment[]> {
  const dueIn = async (lists: readonly string[], isCaptured: boolean) => {
    const keys = await dueOn(table, lists, { now, limit: perShard });
    return keys.map((key) => ({ id: paymentIdOfKey(key), seenDue: new Date(key.workDue), isCaptured }));
  };
  return (await Promise.all([dueIn(paymentLists, false), dueIn(afterCaptureLists, true)])).flat();
}

/** Postpones the payment on the work list only, unless it has moved there since it was read. */
export async function postponePayment(
  { client, name: TableName }: Table,
  { id, seenDue }: DuePayment,
  until: Date,
): Promise<void> {
  const change = assign({ workDue: until.toISOString() });
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: '#workDue = :seen',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':seen': seenDue.toISOString() },
  });
  await conditionalWrite(client.send(update));
}

/**
 * Returns all payments whose outcome at the acquirer is open, including voids and refunds of failed ones, oldest first. The
 * index is eventually consistent, so each payment is read from the table.
 */
export async function listUndecided(table: Table): Promise<readonly Payment[]> {
  const found = await batchGet(table, await everythingOn(table, paymentLists));
  const payments = found.map(toPayment).filter(awaitsAcquirer);
  return payments.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/**
 * Counts the check and schedules the next; false when the payment has become DONE, or is open again, or another worker has counted it.
 * One that has become DONE may still be on a work list: its next check is another then.
 */
export async function postponeCheck(
  { client, name: TableName }: Table,
  { id, checks, phase }: Payment,
  nextCheck: Date,
): Promise<boolean> {
  const at = nextCheck.toISOString();
  const change = assign({ workDue: at, nextCheck: at, checks: checks + 1 });
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: `attribute_exists(workList) AND #checks = :seen AND #phase ${phase === 'DONE' ? '=' : '<>'} :done`,
    ExpressionAttributeNames: { ...change.ExpressionAttributeNames, '#phase': 'phase' },
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':seen': checks, ':done': 'DONE' },
  });
  return (await conditionalWrite(client.send(update))) !== undefined;
}

/** Schedules the next late query of a failed payment, or takes it off the work list; false if another worker has done it. */
export async function scheduleLateQuery(
  { client, name: TableName }: Table,
  { id, phase, lateQuery }: Payment,
  next: { readonly lateQuery: LateQuery; readonly at: Date } | undefined,
): Promise<boolean> {
  const change = next
    ? assign({ ...listedAt({ id, phase, lateQuery: next.lateQuery }, next.at), lateQuery: next.lateQuery })
    : assign({}, waitingAttributes);
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: `${lateQuery === undefined ? 'attribute_not_exists(workList)' : '#lateQuery = :seen'} AND #phase = :done`,
    ExpressionAttributeNames: {
      ...change.ExpressionAttributeNames,
      ...(lateQuery !== undefined && { '#lateQuery': 'lateQuery' }),
      '#phase': 'phase',
    },
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ...(lateQuery !== undefined && { ':seen': lateQuery }),
      ':done': 'DONE',
    },
  });
  return (await conditionalWrite(client.send(update))) !== undefined;
}
