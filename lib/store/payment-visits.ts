import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Payment } from '../payment/payment.ts';
import { assign } from './assign.ts';
import { conditionalWrite } from './conditional-write.ts';
import { paymentKey } from './payment-item.ts';
import type { Table } from './table.ts';

const pauseMs = 2_000;

/** Whether the caller may query the acquirer now: at most one query per pause. One write, none when `askedAt` is recent. */
export async function claimAcquirerQuery(
  { client, name: TableName }: Table,
  { id, askedAt }: Payment,
  now: Date,
): Promise<boolean> {
  const before = new Date(now.getTime() - pauseMs);
  if (askedAt && askedAt > before) return false;
  const change = assign({ askedAt: now.toISOString() });
  const update = new UpdateCommand({
    TableName,
    Key: paymentKey(id),
    ...change,
    ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(#askedAt) OR #askedAt <= :before)',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':before': before.toISOString() },
  });
  try {
    return (await conditionalWrite(client.send(update))) !== undefined;
  } catch (error) {
    // A transaction is changing the payment right now, so the acquirer has just been queried.
    if (error instanceof TransactionConflictException) return false;
    throw error;
  }
}
