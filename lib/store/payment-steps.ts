import { Defect } from '../defect.ts';
import type { Bill } from '../bill/bill.ts';
import type { BillStep } from '../bill/bill-steps.ts';
import { nextCheckOfDone } from '../payment/after-capture.ts';
import { type Payment, type PaymentPhase, phaseMoves } from '../payment/payment.ts';
import { assign, assignChanges } from './assign.ts';
import { billKey } from './bill-item.ts';
import { conditionOf } from './condition.ts';
import {
  listedAt,
  movedAttributes,
  onWorkList,
  paymentItem,
  paymentKey,
  storedAfterCapture,
  storedReserve,
  waitingAttributes,
} from './payment-item.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';
import { updateAsRead } from './update-as-read.ts';

/** The payment's step of a start. Its first status check is due ten seconds later. */
export const putPayment = (
  { name: TableName }: Table,
  payment: Payment,
): TransactionStep<'payment_exists'> => {
  const firstCheck = new Date(payment.createdAt.getTime() + 10_000);
  const Item = paymentItem(payment, firstCheck);
  return {
    write: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
    onConditionFailed: 'payment_exists',
  };
};

/** The step of every later transition, on condition that status and phase are those of `before`. */
export const movePayment = (
  { name: TableName }: Table,
  before: Payment,
  after: Payment,
): TransactionStep<'moved_meanwhile'> => {
  assertAllowed(before.phase, after.phase);
  // A DONE payment that late money reopens is due at once.
  const reopened = before.phase === 'DONE' ? onWorkList(after, before.createdAt) : {};
  const isOver = after.phase === 'DONE';
  const nextCheck = isOver ? nextCheckOfDone(after) : undefined;
  const due = { ...reopened, ...(nextCheck && listedAt(after, nextCheck)) };
  const gone = [
    // After any transition the payer needs the card page no longer.
    'cardPage',
    ...(isOver ? ['startRequest'] : []),
    ...(isOver && !nextCheck ? waitingAttributes : []),
    ...(!isOver || nextCheck ? cleared(before, after, 'lateQuery') : []),
    ...cleared(before, after, 'afterCapture'),
  ];
  const change = assign({ ...movedAttributes(before, after), ...due }, gone);
  return {
    write: {
      Update: {
        TableName,
        Key: paymentKey(before.id),
        ...change,
        ConditionExpression: '#status = :status_before AND #phase = :phase_before',
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ':status_before': before.status,
          ':phase_before': before.phase,
        },
      },
    },
    onConditionFailed: 'moved_meanwhile',
  };
};

/** The attribute, when the transition takes away its value. */
const cleared = (before: Payment, after: Payment, name: 'lateQuery' | 'afterCapture'): readonly string[] =>
  before[name] !== undefined && after[name] === undefined ? [name] : [];

/**
 * The step of a check after the capture, on condition that the payment is DONE and waits for what it waited for when it was read: each
 * check changes that, so of concurrent checks one writes.
 */
export const writeAfterCapture = (
  table: Table,
  before: Payment,
  after: Payment,
): TransactionStep<'moved_meanwhile'> => {
  const { nextCheck } = after;
  const gone = Object.fromEntries(waitingAttributes.map((name) => [name, undefined]));
  return updateAsRead(
    table,
    paymentKey(before.id),
    { phase: 'DONE', afterCapture: storedAfterCapture(before), reserve: storedReserve(before) },
    {
      providerFeeMinor: after.providerFeeMinor,
      receipt: after.receipt,
      refundReceipt: after.refundReceipt,
      afterCapture: storedAfterCapture(after),
      reserve: storedReserve(after),
      ...(nextCheck ? listedAt(after, nextCheck) : gone),
    },
    'moved_meanwhile',
  );
};

function assertAllowed(from: PaymentPhase, to: PaymentPhase): void {
  if (!phaseMoves[from].includes(to))
    throw new Defect('PAYMENT_MOVE_IMPOSSIBLE', `A payment cannot go from ${from} to ${to}`);
}

/** The conditional write of a NORMAL bill's step; `onConditionFailed` is what its failed condition means. */
export function moveBill<R extends string>(
  { name: TableName }: Table,
  { billId }: Payment,
  { to, set, clears, countsFailure, preconditions }: BillStep,
  onConditionFailed: R,
): TransactionStep<R> {
  const change = assignChanges({
    ...set,
    status: to,
    ...Object.fromEntries(clears.map((each) => [each, undefined])),
  });
  const { expression, names, values } = conditionOf(preconditions);
  return {
    write: {
      Update: {
        TableName,
        Key: billKey(billId),
        UpdateExpression: `${change.UpdateExpression}${countsFailure ? ' ADD failures :one' : ''}`,
        ConditionExpression: expression,
        ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...names },
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ...values,
          ...(countsFailure && { ':one': 1 }),
        },
      },
    },
    onConditionFailed,
  };
}

/** Sets a MULTI bill to SUCCESS at its first paid payment. Concurrent first payments write the same value. */
export const showMultiPaid = ({ name: TableName }: Table, { id }: Bill): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: billKey(id),
      ...assign({ status: 'SUCCESS' }),
      ConditionExpression: 'attribute_exists(PK)',
    },
  },
});
