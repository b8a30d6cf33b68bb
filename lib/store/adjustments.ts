import type { Adjustment, Adjustments } from '../ledger/adjustment.ts';
import { adjustmentItem, adjustmentKey, adjustmentList, toAdjustment } from './adjustment-item.ts';
import { credit, debit } from './balances.ts';
import { batchGet } from './batch-get.ts';
import { putEntry } from './entry-item.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { everythingOn } from './work-list.ts';

/** Adjustments. An approval and its money movement are one transaction (lib/ledger/README.md). */
export const dynamoAdjustments = (table: Table): Adjustments => ({
  find: (id) => getItem(table, adjustmentKey(id), toAdjustment),
  create: (adjustment) => transact(table, [putAdjustment(table, adjustment)]),
  approve: (after, entry) =>
    transact<'adjustment_already_decided' | 'balance_not_enough'>(table, [
      approveStep(table, after),
      balanceStep(table, after),
      putEntry(table, entry),
    ]),
  reject: (after) => transact(table, [decideStep(table, after)]),
  listProposed: () => listProposed(table),
});

const putAdjustment = (
  { name: TableName }: Table,
  adjustment: Adjustment,
): TransactionStep<'adjustment_exists'> => ({
  write: {
    Put: { TableName, Item: adjustmentItem(adjustment), ConditionExpression: 'attribute_not_exists(PK)' },
  },
  onConditionFailed: 'adjustment_exists',
});

/** Records a decision, on condition that the adjustment is still PROPOSED. */
const decideStep = (
  { name: TableName }: Table,
  after: Adjustment,
  { and = '', values = {} }: { readonly and?: string; readonly values?: Record<string, string> } = {},
): TransactionStep<'adjustment_already_decided'> => ({
  write: {
    Put: {
      TableName,
      Item: adjustmentItem(after),
      ConditionExpression: `#status = :proposed${and}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':proposed': 'PROPOSED', ...values },
    },
  },
  onConditionFailed: 'adjustment_already_decided',
});

/** The write itself also requires that the approver is not the proposer, whatever the caller has checked. */
const approveStep = (table: Table, after: Adjustment) =>
  decideStep(table, after, {
    and: ' AND proposedBy <> :approver',
    values: { ':approver': after.decision?.by ?? after.proposedBy },
  });

const balanceStep = (table: Table, { merchantId, direction, amount }: Adjustment) =>
  direction === 'credit' ? credit(table, merchantId, amount) : debit(table, merchantId, amount);

/** The index is eventually consistent, so each adjustment is read from the table. */
async function listProposed(table: Table): Promise<readonly Adjustment[]> {
  const found = await batchGet(table, await everythingOn(table, [adjustmentList]));
  return found
    .map(toAdjustment)
    .filter(({ status }) => status === 'PROPOSED')
    .toSorted((a, b) => a.proposedAt.getTime() - b.proposedAt.getTime() || (a.id < b.id ? -1 : 1));
}
