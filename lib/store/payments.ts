import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { fenceStep, finishStep, holdStep, releaseStep } from '../bill/bill-steps.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PaymentId } from '../ids.ts';
import type { Payment } from '../payment/payment.ts';
import type { Payments } from '../payment/ports.ts';
import type { PostbackEvent } from '../postback/event.ts';
import { creditCapture, listBalance, releaseReserved } from './balances.ts';
import { conditionalWrite } from './conditional-write.ts';
import { endBillContact, endPaymentContact, putContact } from './contact-item.ts';
import { putEntry } from './entry-item.ts';
import { putEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import { paymentKey, toPayment } from './payment-item.ts';
import { findWithBill, listOf } from './payment-reads.ts';
import { moveBill, movePayment, putPayment, showMultiPaid, writeAfterCapture } from './payment-steps.ts';
import { beginCall, callAnswered, storeOrder } from './payment-calls.ts';
import {
  duePayments,
  listUndecided,
  postponeCheck,
  postponePayment,
  scheduleLateQuery,
} from './payment-work-list.ts';
import { claimAcquirerQuery } from './payment-visits.ts';
import { putUnregistered } from './unregistered-receipts.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** Payments and the transactions of their steps (lib/payment/README.md). */
export const dynamoPayments = (table: Table): Payments => ({
  find: (id) => getItem(table, paymentKey(id), toPayment),
  findWithBill: (id) => findWithBill(table, id),
  listOf: (bill, page) => listOf(table, bill, page),

  start: (payment, hold) =>
    transact<'payment_exists' | 'bill_not_payable'>(table, [
      putPayment(table, payment),
      ...(hold.contact
        ? [putContact(table, { billId: payment.billId, ownerId: payment.id }, hold.contact)]
        : []),
      ...(payment.billType === 'NORMAL'
        ? [moveBill(table, payment, holdStep(payment.id, hold), 'bill_not_payable')]
        : []),
    ]),
  fence: (payment, captureCall) =>
    transact(table, [
      movePayment(table, payment, { ...payment, phase: 'CAPTURING', captureCall }),
      ...(payment.billType === 'NORMAL'
        ? [moveBill(table, payment, fenceStep(payment.id), 'moved_meanwhile')]
        : []),
    ]),
  startVoid: (payment, cancelCall) =>
    transact(table, [movePayment(table, payment, { ...payment, phase: 'VOIDING', cancelCall })]),
  settle: ({ payment: before, bill }, after, [capture, ...others], event) =>
    transact<'moved_meanwhile' | 'bill_paid_by_another'>(table, [
      movePayment(table, before, after),
      ...(bill.type === 'NORMAL'
        ? [moveBill(table, after, finishStep(after.id, after.status), 'bill_paid_by_another')]
        : bill.status === 'NEW'
          ? [showMultiPaid(table, bill)]
          : []),
      creditCapture(table, capture, after.settlement.currency),
      ...[capture, ...others].map((entry) => putEntry(table, entry)),
      ...endPaymentContact(table, before, after),
      ...endBillContact(table, bill, capture.at),
      ...eventSteps(table, event),
    ]),
  failed: (before, after, { releasesBill, countsFailure, entries, event }) =>
    transact(table, [
      movePayment(table, before, after),
      ...(releasesBill
        ? [moveBill(table, after, releaseStep(after.id, countsFailure), 'moved_meanwhile')]
        : []),
      ...putEntries(table, before, entries),
      ...endPaymentContact(table, before, after),
      ...eventSteps(table, event),
    ]),
  // The entries exist already when another handler has done this and even finished; then the payment has moved too.
  recordDuplicateCapture: (before, after, entries) =>
    transact<'moved_meanwhile'>(table, [
      movePayment(table, before, after),
      ...entries.map((entry) => ({
        ...putEntry(table, entry),
        onConditionFailed: 'moved_meanwhile' as const,
      })),
      listBalance(table, after.merchantId, after.settlement.currency),
    ]),
  recordAfterCapture: (before, after, entries, unregistered = []) =>
    transact<'moved_meanwhile'>(table, [
      writeAfterCapture(table, before, after),
      ...releaseSteps(table, before, after),
      ...putEntries(table, before, entries),
      ...unregistered.map((receipt) => putUnregistered(table, receipt)),
    ]),

  postbackDelivered: (id, at) => postbackDelivered(table, id, at),
  due: (now) => duePayments(table, now),
  postpone: (due, until) => postponePayment(table, due, until),
  listUndecided: () => listUndecided(table),
  beginCall: (payment, kind, call) => beginCall(table, payment, { kind, call }),
  callAnswered: (payment, kind, how) => callAnswered(table, payment, { kind, ...how }),
  storeOrder: (payment, order) => storeOrder(table, payment, order),
  scheduleLateQuery: (payment, next) => scheduleLateQuery(table, payment, next),
  claimAcquirerQuery: (payment, now) => claimAcquirerQuery(table, payment, now),
  postponeCheck: (payment, nextCheck) => postponeCheck(table, payment, nextCheck),
});

const eventSteps = (table: Table, event: PostbackEvent | undefined) =>
  event ? [putEvent(table, event)] : [];

/** The first entries of a payment whose capture has none may be their merchant's first: its balance is listed then. */
const putEntries = (
  table: Table,
  { merchantId, settlement, receivedMinor }: Payment,
  entries: readonly Entry[],
) => [
  ...entries.map((entry) => putEntry(table, entry)),
  ...(entries.length > 0 && receivedMinor === undefined
    ? [listBalance(table, merchantId, settlement.currency)]
    : []),
];

const releaseSteps = (table: Table, { merchantId, reserve }: Payment, after: Payment) =>
  reserve && !reserve.released && after.reserve?.released
    ? [releaseReserved(table, merchantId, reserve)]
    : [];

/** Records the first delivery only: a postback may be sent again much later. */
async function postbackDelivered({ client, name: TableName }: Table, id: PaymentId, at: Date): Promise<void> {
  await conditionalWrite(
    client.send(
      new UpdateCommand({
        TableName,
        Key: paymentKey(id),
        UpdateExpression: 'SET deliveredAt = if_not_exists(deliveredAt, :at)',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':at': at.toISOString() },
      }),
    ),
  );
}
