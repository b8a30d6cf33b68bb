import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { billIdOf, type RefundId } from '../ids.ts';
import type { ClaimedRefund, Creation, DueRefund, Ending, RefundClaim, Refunds } from '../refund/ports.ts';
import { grossMinor, type Refund, refundMoves } from '../refund/refund.ts';
import { assignChanges, assign } from './assign.ts';
import { billClaimKey, billPartition } from './bill-item.ts';
import { beginCallStep, callAnsweredStep } from './call-steps.ts';
import { chargebackKey } from './chargeback-item.ts';
import { conditionalWrite } from './conditional-write.ts';
import { putContact } from './contact-item.ts';
import { putEntry } from './entry-item.ts';
import { putEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import { paymentKey, storedCall } from './payment-item.ts';
import { queryAll } from './query-all.ts';
import { lockDebit, releaseLocked, settleLocked } from './refund-balance.ts';
import {
  refundIdOfKey,
  refundItem,
  refundKey,
  refundList,
  refundListedAt,
  refundPrefixOf,
  toRefund,
} from './refund-item.ts';
import { shards } from './shards.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import { transact, type TransactionStep } from './transact.ts';
import { putUnregistered } from './unregistered-receipts.ts';
import { updateAsRead } from './update-as-read.ts';
import { dueOn } from './work-list.ts';

/** Refunds and the transactions of their steps (lib/refund/README.md). */
export const dynamoRefunds = (table: Table, now: () => Date): Refunds => ({
  find: (id) => getItem(table, refundKey(id), toRefund),
  ofPayment: async (paymentId) =>
    (
      await queryAll(table, {
        KeyConditionExpression: 'PK = :bill AND begins_with(SK, :refunds)',
        ExpressionAttributeValues: {
          ':bill': billPartition(billIdOf(paymentId)),
          ':refunds': refundPrefixOf(paymentId),
        },
        ConsistentRead: true,
      })
    )
      .map(toRefund)
      .toSorted(byTime),
  findClaim: (claim) => getItem(table, claimKey(claim), (raw) => toClaimed(raw, now())),

  create: (refund, creation) =>
    transact<'claimed_meanwhile' | 'moved_meanwhile' | 'balance_not_enough'>(table, [
      ...(creation.claim ? [putClaim(table, refund, creation.claim)] : []),
      putRefund(table, refund),
      reserveOnPayment(table, creation),
      noFurtherChargeback(table, creation),
      ...(refund.debit.minor > 0n ? [lockDebit(table, refund.merchantId, refund.debit)] : []),
      ...(creation.entry ? [putEntry(table, creation.entry)] : []),
      ...(creation.contact
        ? [putContact(table, { billId: refund.billId, ownerId: refund.id }, creation.contact)]
        : []),
    ]),
  beginCall: async (refund, call) =>
    (await transact(table, [beginCallStep(table, callerOf(refund), refund.call, call)])).ok,
  async callAnswered(refund, answered) {
    await transact(table, [callAnsweredStep(table, callerOf(refund), answered)]);
  },
  end: (before, after, ending) => transact(table, endSteps(table, before, after, ending)),
  recordReceipt: (before, after, unregistered) =>
    transact<'moved_meanwhile'>(table, [
      checkedReceipt(table, before, after),
      ...(unregistered ? [putUnregistered(table, unregistered)] : []),
    ]),

  due: (at) => dueRefunds(table, at),
  postpone: (due, until) => postpone(table, due, until),
  postponeCheck: (refund, nextCheck) => postponeCheck(table, refund, nextCheck),
});

const byTime = (one: Refund, other: Refund): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const claimSeconds = 7 * 24 * 3600;

const claimKey = ({ merchantId, key }: Pick<RefundClaim, 'merchantId' | 'key'>) =>
  billClaimKey({ kind: 'idempotency', merchantId, scope: 'refund/create', key });

const claimed = z.object({ refundId: storedId<RefundId>(), fingerprint: z.string(), ttl: z.number() });

/** Undefined when it has expired. DynamoDB may delete an expired item days later. */
function toClaimed(raw: unknown, now: Date): ClaimedRefund | undefined {
  const { refundId, fingerprint, ttl } = claimed.parse(raw);
  return ttl > seconds(now) ? { refundId, fingerprint } : undefined;
}

const putClaim = (
  { name: TableName }: Table,
  { id, createdAt }: Refund,
  claim: RefundClaim,
): TransactionStep<'claimed_meanwhile'> => ({
  write: {
    Put: {
      TableName,
      Item: {
        ...claimKey(claim),
        refundId: id,
        fingerprint: claim.fingerprint,
        ttl: seconds(createdAt) + claimSeconds,
      },
      ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':now': seconds(createdAt) },
    },
  },
  onConditionFailed: 'claimed_meanwhile',
});

const putRefund = ({ name: TableName }: Table, refund: Refund): TransactionStep<'moved_meanwhile'> => ({
  write: {
    Put: {
      TableName,
      Item: refundItem(refund),
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

/** Its refunds are locked by value: all that take part of a payment write these totals. */
const reserveOnPayment = (
  table: Table,
  { payment, totals }: Pick<Creation, 'payment' | 'totals'>,
): TransactionStep<'moved_meanwhile'> =>
  updateAsRead(
    table,
    paymentKey(payment.id),
    { status: payment.status, phase: payment.phase, refunds: payment.refunds },
    { refunds: totals },
    'moved_meanwhile',
  );

/** Chargebacks are numbered without a gap, so one that was added since the read has the next number. */
const noFurtherChargeback = (
  { name: TableName }: Table,
  { payment, chargebacks }: Pick<Creation, 'payment' | 'chargebacks'>,
): TransactionStep<'moved_meanwhile'> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: chargebackKey({ paymentId: payment.id, number: chargebacks + 1 }),
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

const callerOf = ({ id, status }: Refund) => ({
  key: refundKey(id),
  attribute: 'call',
  state: { name: 'status', is: status, to: 'PROCESS' } as const,
});

function endSteps(
  table: Table,
  before: Refund,
  after: Refund,
  { entry, event }: Ending,
): readonly TransactionStep<'moved_meanwhile'>[] {
  if (!refundMoves[before.status].includes(after.status))
    throw new Defect('REFUND_MOVE_IMPOSSIBLE', `A refund cannot go from ${before.status} to ${after.status}`);
  const { merchantId, debit } = before;
  const isRefunded = after.status === 'SUCCESS';
  const move = isRefunded ? settleLocked : releaseLocked;
  return [
    endRefund(table, before, after),
    isRefunded ? refundedOnPayment(table, before) : releaseOnPayment(table, before),
    ...(debit.minor > 0n ? [move(table, merchantId, debit)] : []),
    ...(entry ? [putEntry(table, entry)] : []),
    ...(event ? [putEvent(table, event)] : []),
  ];
}

/** On condition that the status is as read; a failure also that no call was recorded since: one could still refund. */
const endRefund = (table: Table, before: Refund, after: Refund): TransactionStep<'moved_meanwhile'> => {
  const { status, call } = before;
  const seen = { status, ...(after.status === 'FAIL' && { call: call && storedCall(call) }) };
  const { endedAt, outcome, errorCode, receipt, checks } = after;
  const changes = { status: after.status, endedAt, outcome, errorCode, receipt, checks, ...dueAt(after) };
  return updateAsRead(table, refundKey(before.id), seen, changes, 'moved_meanwhile');
};

const notListed = { workList: undefined, workDue: undefined, nextCheck: undefined };
const dueAt = ({ id, nextCheck }: Refund) => (nextCheck ? refundListedAt(id, nextCheck) : notListed);

const refundedOnPayment = ({ name: TableName }: Table, { paymentId, amount }: Refund): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: paymentKey(paymentId),
      UpdateExpression: 'SET #refunds.#refunded = #refunds.#refunded + :amount',
      ConditionExpression: 'attribute_exists(#refunds)',
      ExpressionAttributeNames: { '#refunds': 'refunds', '#refunded': 'refundedMinor' },
      ExpressionAttributeValues: { ':amount': amount.minor },
    },
  },
});

const releaseOnPayment = ({ name: TableName }: Table, refund: Refund): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: paymentKey(refund.paymentId),
      UpdateExpression:
        'SET #refunds.#reserved = #refunds.#reserved - :amount, #refunds.#gross = #refunds.#gross - :gross, #refunds.#fee = #refunds.#fee - :fee',
      ConditionExpression:
        '#refunds.#reserved >= :amount AND #refunds.#gross >= :gross AND #refunds.#fee >= :fee',
      ExpressionAttributeNames: {
        '#refunds': 'refunds',
        '#reserved': 'reservedMinor',
        '#gross': 'grossMinor',
        '#fee': 'feeMinor',
      },
      ExpressionAttributeValues: {
        ':amount': refund.amount.minor,
        ':gross': grossMinor(refund),
        ':fee': refund.feeReturnedMinor,
      },
    },
  },
});

/** Each check counts, so of concurrent checks one writes. */
const checkedReceipt = (table: Table, before: Refund, after: Refund): TransactionStep<'moved_meanwhile'> =>
  updateAsRead(
    table,
    refundKey(before.id),
    { status: before.status, checks: before.checks },
    { receipt: after.receipt, checks: after.checks, ...dueAt(after) },
    'moved_meanwhile',
  );

/** The most of one shard per sweep, so that a sweep ends within its minute; the rest waits for the next. */
const perShard = 100;
const lists = shards.map(refundList);

async function dueRefunds(table: Table, now: Date): Promise<readonly DueRefund[]> {
  const keys = await dueOn(table, lists, { now, limit: perShard });
  return keys.map((key) => ({ id: refundIdOfKey(key), seenDue: new Date(key.workDue) }));
}

async function postpone(
  { client, name: TableName }: Table,
  { id, seenDue }: DueRefund,
  until: Date,
): Promise<void> {
  const change = assign({ workDue: until.toISOString() });
  const update = new UpdateCommand({
    TableName,
    Key: refundKey(id),
    ...change,
    ConditionExpression: '#workDue = :seen',
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':seen': seenDue.toISOString() },
  });
  await conditionalWrite(client.send(update));
}

async function postponeCheck(
  { client, name: TableName }: Table,
  { id, checks }: Refund,
  nextCheck: Date,
): Promise<boolean> {
  const at = nextCheck.toISOString();
  const change = assignChanges({ workDue: at, nextCheck: at, checks: checks + 1 });
  const update = new UpdateCommand({
    TableName,
    Key: refundKey(id),
    ...change,
    ConditionExpression: '#status IN (:new, :process) AND #checks = :seen',
    ExpressionAttributeNames: { ...change.ExpressionAttributeNames, '#status': 'status' },
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ':new': 'NEW',
      ':process': 'PROCESS',
      ':seen': checks,
    },
  });
  return (await conditionalWrite(client.send(update))) !== undefined;
}
