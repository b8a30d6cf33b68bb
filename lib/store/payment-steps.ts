import { type BillStatus, billStatusesBefore, failuresUntilWornOut } from '../bill/bill.ts';
import { type Payment, type PaymentPhase, phaseMoves } from '../payment/payment.ts';
import { assign } from './assign.ts';
import { billKey } from './bill-item.ts';
import { onWorkList, paymentItem, paymentKey } from './payment-item.ts';
import type { Table } from './table.ts';
import type { Step } from './transact.ts';

/** T1, the payment's part: asked about for the first time ten seconds after it began. */
export const putPayment = ({ name: TableName }: Table, payment: Payment): Step<'payment_exists'> => {
  const firstCheck = new Date(payment.createdAt.getTime() + 10_000);
  const Item = paymentItem(payment, firstCheck);
  return {
    write: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
    otherwise: 'payment_exists',
  };
};

/** Every later move of a payment holds only while status and phase are those of `before`. */
export const movePayment = (
  { name: TableName }: Table,
  before: Payment,
  after: Payment,
): Step<'moved_meanwhile'> => {
  assertAllowed(before.phase, after.phase);
  const { status, phase, receivedMinor, feeMinor, fromCard, outcome } = after;
  const known = { status, phase, receivedMinor, feeMinor, fromCard, outcome };
  const set = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  // A payment that was done and is taken up again (T9) is due at once.
  const reopened = before.phase === 'DONE' ? onWorkList(after, before.createdAt) : {};
  const change = assign({ ...set, ...reopened }, after.phase === 'DONE' ? ['workList', 'workDue'] : []);
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
    otherwise: 'moved_meanwhile',
  };
};

function assertAllowed(from: PaymentPhase, to: PaymentPhase): void {
  if (!phaseMoves[from].includes(to)) throw new Error(`A payment never goes from ${from} to ${to}`);
}

type BillMove<R extends string> = {
  readonly to: BillStatus;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly countFailure?: boolean;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly otherwise: R;
};

/** A move of a NORMAL bill: along the table of its moves, and under the step's own condition. */
function moveBill<R extends string>({ name: TableName }: Table, billId: string, move: BillMove<R>): Step<R> {
  const { to, set, remove, countFailure = false, condition, values, otherwise } = move;
  const change = assign({ ...set, status: to }, remove);
  const counted = countFailure ? ' ADD failures :one' : '';
  const from = Object.fromEntries(billStatusesBefore(to).map((status) => [`:from_${status}`, status]));
  return {
    write: {
      Update: {
        TableName,
        Key: billKey(billId),
        UpdateExpression: `${change.UpdateExpression}${counted}`,
        ConditionExpression: `#status IN (${Object.keys(from).join(', ')}) AND ${condition}`,
        ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...namesIn(condition) },
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ...from,
          ...values,
          ...(countFailure && { ':one': 1 }),
        },
      },
    },
    otherwise,
  };
}

/** `#current` in a condition is the attribute `current`: some of the names are reserved words. */
const namesIn = (condition: string): Record<string, string> =>
  Object.fromEntries((condition.match(/#\w+/g) ?? []).map((alias) => [alias, alias.slice(1)]));

/** T1 and T1': the bill is free, or the lock that held it is over and nothing was fenced. */
export const holdBill = (
  table: Table,
  { id, billId }: Payment,
  { now, lockUntil }: { readonly now: Date; readonly lockUntil: Date },
): Step<'bill_not_payable'> =>
  moveBill(table, billId, {
    to: 'PROCESS',
    set: { current: id, lockUntil: lockUntil.toISOString(), fenced: false },
    condition: [
      'active = :yes',
      '(attribute_not_exists(expiresAt) OR expiresAt > :now)',
      'failures < :worn_out',
      'attribute_not_exists(paidBy)',
      '(#status <> :process OR (lockUntil <= :now AND #fenced = :no))',
    ].join(' AND '),
    values: {
      ':yes': true,
      ':no': false,
      ':now': now.toISOString(),
      ':worn_out': failuresUntilWornOut,
      ':process': 'PROCESS',
    },
    otherwise: 'bill_not_payable',
  });

/** T2: only the payment that holds the bill may ask for its capture. */
export const fenceBill = (table: Table, { id, billId }: Payment): Step<'moved_meanwhile'> =>
  moveBill(table, billId, {
    to: 'PROCESS',
    set: { fenced: true },
    condition: '#current = :payment AND #status = :process',
    values: { ':payment': id, ':process': 'PROCESS' },
    otherwise: 'moved_meanwhile',
  });

/** T3: the first captured payment finishes the bill. */
export const finishBill = (table: Table, { id, billId, status }: Payment): Step<'bill_paid_by_another'> =>
  moveBill(table, billId, {
    to: status,
    set: { paidBy: id, current: id, fenced: true },
    remove: ['lockUntil'],
    condition: 'attribute_not_exists(paidBy)',
    values: {},
    otherwise: 'bill_paid_by_another',
  });

/** T4: the payment that holds the bill lets it go; the next try may begin. */
export const releaseBill = (table: Table, { id, billId }: Payment): Step<'moved_meanwhile'> =>
  moveBill(table, billId, {
    to: 'FAIL',
    countFailure: true,
    set: { fenced: false },
    remove: ['lockUntil'],
    condition: '#current = :payment AND #status = :process',
    values: { ':payment': id, ':process': 'PROCESS' },
    otherwise: 'moved_meanwhile',
  });
