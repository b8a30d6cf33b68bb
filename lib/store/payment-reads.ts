import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Bill } from '../bill/bill.ts';
import { billIdOf, type PaymentId } from '../ids.ts';
import { isFinalPayment, type Payment } from '../payment/payment.ts';
import type { Payments, PaymentWithBill } from '../payment/ports.ts';
import { batchGet } from './batch-get.ts';
import { billKey, billPartition, toBill } from './bill-item.ts';
import { getItem } from './get-item.ts';
import { paymentKey, paymentPrefix, toPayment } from './payment-item.ts';
import type { Table } from './table.ts';

const itemKey = z.object({ SK: z.string() });

/** Reads a payment and its bill in one strongly consistent batch. */
export async function findWithBill(table: Table, id: PaymentId): Promise<PaymentWithBill | undefined> {
  const items = await batchGet(table, [paymentKey(id), billKey(billIdOf(id))]);
  const [bill, payment] = items.toSorted((a, b) => (itemKey.parse(a).SK < itemKey.parse(b).SK ? -1 : 1));
  if (!bill || !payment) return undefined;
  const found = { bill: toBill(bill), payment: toPayment(payment) };
  return seemsDisplaced(found) ? readAfter(table, found.payment) : found;
}

/** A batch read is not a snapshot: its bill may be older than its payment and not yet be locked by it. */
const seemsDisplaced = ({ payment, bill }: PaymentWithBill): boolean =>
  bill.type === 'NORMAL' && bill.current !== payment.id && !isFinalPayment(payment);

async function readAfter(table: Table, payment: Payment): Promise<PaymentWithBill | undefined> {
  const bill = await getItem(table, billKey(payment.billId), toBill);
  return bill && { bill, payment };
}

/** Returns one page of a bill's payments in key order, newest first. Reads on after DynamoDB's own pages of 1 MB. */
export async function listOf(
  { client, name: TableName }: Table,
  { id }: Bill,
  { limit, cursor }: Parameters<Payments['listOf']>[1],
): ReturnType<Payments['listOf']> {
  const payments: Payment[] = [];
  let from = cursor === undefined ? undefined : { PK: billPartition(id), SK: `${paymentPrefix}${cursor}` };
  do {
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :bill AND begins_with(SK, :payment)',
      ExpressionAttributeValues: { ':bill': billPartition(id), ':payment': paymentPrefix },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit + 1 - payments.length,
      ExclusiveStartKey: from,
    });
    const { Items = [], LastEvaluatedKey } = await client.send(query);
    payments.push(...Items.map(toPayment));
    const last = payments.at(-1);
    from = LastEvaluatedKey && last && paymentKey(last.id);
  } while (from && payments.length <= limit);
  const page = payments.slice(0, limit);
  const newestFirst = page.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return { payments: newestFirst, next: payments.length > limit ? page.at(-1)?.id : undefined };
}
