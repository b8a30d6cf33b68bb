import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Bill } from '../bill/bill.ts';
import { fenceStep, finishStep, holdStep, releaseStep } from '../bill/bill-steps.ts';
import type { Entry } from '../ledger/entry.ts';
import { type BalanceCurrency, sum } from '../money/money.ts';
import { billIdOf, isFinal, isPaymentId, type Payment } from '../payment/payment.ts';
import type { Payments, PaymentWithBill } from '../payment/ports.ts';
import type { PostbackEvent } from '../postback/event.ts';
import { assign } from './assign.ts';
import { credit } from './balances.ts';
import { batchGet } from './batch-get.ts';
import { billKey, billPartition, toBill } from './bill-item.ts';
import { entryItem, putEntry } from './entry-item.ts';
import { putEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import {
  paymentIdFrom,
  paymentKey,
  paymentList,
  paymentPrefix,
  toPayment,
  workShards,
} from './payment-item.ts';
import { moveBill, movePayment, putPayment } from './payment-steps.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';
import { unlessRefused } from './unless-refused.ts';
import { dueOn, everythingOn } from './work-list.ts';

/** Payments and the bill protocol's transactions T1 to T9 (core, section 4.1). */
export const dynamoPayments = (table: Table): Payments => ({
  find: async (id) => (isPaymentId(id) ? getItem(table, paymentKey(id), toPayment) : undefined),
  findWithBill: (id) => findWithBill(table, id),
  listOf: (bill, page) => listOf(table, bill, page),

  start: (payment, hold) =>
    transact<'payment_exists' | 'bill_not_payable'>(table, [
      putPayment(table, payment),
      ...(payment.billType === 'NORMAL'
        ? [moveBill(table, payment, holdStep(payment.id, hold), 'bill_not_payable')]
        : []),
    ]),
  fence: (payment) =>
    transact(table, [
      movePayment(table, payment, { ...payment, phase: 'CAPTURING' }),
      ...(payment.billType === 'NORMAL'
        ? [moveBill(table, payment, fenceStep(payment.id), 'moved_meanwhile')]
        : []),
    ]),
  giveUp: (payment) => transact(table, [movePayment(table, payment, { ...payment, phase: 'VOIDING' })]),
  settle: (before, after, entry, event) =>
    transact<'moved_meanwhile' | 'bill_paid_by_another'>(table, [
      movePayment(table, before, after),
      ...(after.billType === 'NORMAL'
        ? [moveBill(table, after, finishStep(after.id, after.status), 'bill_paid_by_another')]
        : []),
      credit(table, after.merchantId, creditOf(after, entry)),
      putEntry(table, entry),
      ...eventSteps(table, event),
    ]),
  failed: (before, after, { releasesBill, entry, event }) =>
    transact(table, [
      movePayment(table, before, after),
      ...(releasesBill ? [moveBill(table, after, releaseStep(after.id), 'moved_meanwhile')] : []),
      ...(entry ? [putEntry(table, entry)] : []),
      ...eventSteps(table, event),
    ]),
  // The entry exists already when another handler was here and has even finished: then the payment has moved too.
  captureTwice: (before, after, entry) =>
    transact<'moved_meanwhile'>(table, [
      movePayment(table, before, after),
      { ...putEntry(table, entry), otherwise: 'moved_meanwhile' },
    ]),
  record: (entry) => record(table, entry),
  markMultiPaid: (billId) => markMultiPaid(table, billId),

  due: (now) => due(table, now),
  listUndecided: () => listUndecided(table),
  postponeCheck: (payment, nextCheck) => postponeCheck(table, payment, nextCheck),
});

const eventSteps = (table: Table, event: PostbackEvent | undefined) =>
  event ? [putEvent(table, event)] : [];

/** What the entry's lines say of the merchant's available balance. */
function creditOf({ settlement }: Payment, { lines }: Entry): { currency: BalanceCurrency; minor: bigint } {
  const available = lines.filter(({ account }) => account === 'available');
  return { currency: settlement.currency, minor: sum(available.map((line) => line.minor)) };
}

const itemKey = z.object({ SK: z.string() });

async function findWithBill(table: Table, id: string): Promise<PaymentWithBill | undefined> {
  if (!isPaymentId(id)) return undefined;
  const items = await batchGet(table, [paymentKey(id), billKey(billIdOf(id))]);
  const [bill, payment] = items.toSorted((a, b) => (itemKey.parse(a).SK < itemKey.parse(b).SK ? -1 : 1));
  if (!bill || !payment) return undefined;
  const found = { bill: toBill(bill), payment: toPayment(payment) };
  return seemsDisplaced(found) ? readAfter(table, found.payment) : found;
}

/** A batch is no snapshot: its bill may be older than its payment, and not know that it is held by it. */
const seemsDisplaced = ({ payment, bill }: PaymentWithBill): boolean =>
  bill.type === 'NORMAL' && bill.current !== payment.id && !isFinal(payment);

async function readAfter(table: Table, payment: Payment): Promise<PaymentWithBill | undefined> {
  const bill = await getItem(table, billKey(payment.billId), toBill);
  return bill && { bill, payment };
}

/** One page in the order of the keys, shown newest first. The store's own pages of 1 MB are read on. */
async function listOf(
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

/** Writing the same entry again changes nothing: the first stays. */
async function record({ client, name: TableName }: Table, entry: Entry): Promise<boolean> {
  const put = new PutCommand({
    TableName,
    Item: entryItem(entry),
    ConditionExpression: 'attribute_not_exists(PK)',
  });
  return (await unlessRefused(client.send(put))) !== undefined;
}

async function markMultiPaid({ client, name: TableName }: Table, billId: string): Promise<void> {
  const change = assign({ status: 'SUCCESS' });
  const update = new UpdateCommand({
    TableName,
    Key: billKey(billId),
    ...change,
    ConditionExpression: '#status = :new',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':new': 'NEW' },
  });
  await unlessRefused(client.send(update));
}

/** More than this of one shard waits for the next minute, so that one sweep ends within its own. */
const perShard = 25;
const paymentLists = workShards.map(paymentList);

const due = async (table: Table, now: Date): Promise<readonly string[]> =>
  (await dueOn(table, paymentLists, { now, limit: perShard })).map(paymentIdFrom);

/** The index may be a moment old, so each payment is read. */
async function listUndecided(table: Table): Promise<readonly Payment[]> {
  const found = await batchGet(table, await everythingOn(table, paymentLists));
  const payments = found.map(toPayment).filter((payment) => !isFinal(payment));
  return payments.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Counts the check and plans the next, while the payment is not final. */
async function postponeCheck(
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
  await unlessRefused(client.send(update));
}
