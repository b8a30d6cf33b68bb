import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { awaitsAcquirer, type Payment } from '../payment/payment.ts';
import type { DuePayment } from '../payment/ports.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { paymentIdOfKey, paymentKey, paymentList, toPayment } from './payment-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn } from './work-list.ts';

/** More than this of one shard waits for the next minute, so that one sweep ends within its own. */
const perShard = 200;
const paymentLists = shards.map(paymentList);

/** The payments that the sweep should queue by now, the longest overdue first. */
export async function duePayments(table: Table, now: Date): Promise<readonly DuePayment[]> {
  const keys = await dueOn(table, paymentLists, { now, limit: perShard });
  return keys.map((key) => ({ id: paymentIdOfKey(key), seenDue: new Date(key.workDue) }));
}

/** Moves it on in the list only, and only if it has not moved since. */
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

/** All that the acquirer has yet to decide, voids and refunds of failed ones included. The index may be a moment old, so each payment is read. */
export async function listUndecided(table: Table): Promise<readonly Payment[]> {
  const found = await batchGet(table, await everythingOn(table, paymentLists));
  const payments = found.map(toPayment).filter(awaitsAcquirer);
  return payments.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Counts the check and plans the next, while the payment is not final. */
export async function postponeCheck(
  { client, name: TableName }: Table,
  { id, checks }: Payment,
  nextCheck: Date,
): Promise<boolean> {
  const at = nextCheck.toISOString();
  const change = assign({ workDue: at, nextCheck: at, checks: checks + 1 });
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: 'attribute_exists(workList) AND #checks = :seen',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':seen': checks },
  });
  return (await conditionalWrite(client.send(update))) !== undefined;
}
