import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { awaitsAcquirer, type Payment } from '../payment/payment.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { paymentIdOfKey, paymentKey, paymentList, toPayment } from './payment-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn } from './work-list.ts';

/** More than this of one shard waits for the next minute. */
const perShard = 25;
const paymentLists = shards.map(paymentList);

/** The payments that the sweep should ask about by now, the longest overdue first. */
export const duePayments = async (table: Table, now: Date): Promise<readonly string[]> =>
  (await dueOn(table, paymentLists, { now, limit: perShard })).map(paymentIdOfKey);

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
): Promise<void> {
  const change = assign({ workDue: nextCheck.toISOString(), checks: checks + 1 });
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: 'attribute_exists(workList) AND #checks = :seen',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':seen': checks },
  });
  await conditionalWrite(client.send(update));
}
