import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import { balanceKey } from './balance-item.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

type Amount = { readonly currency: BalanceCurrency; readonly minor: bigint };

/** The step that locks a refund's debit, never more than is available. */
export const lockDebit = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  { currency, minor: amount }: Amount,
): TransactionStep<'balance_not_enough'> => ({
  write: {
    Update: {
      TableName,
      Key: balanceKey(merchantId, currency),
      UpdateExpression:
        'SET available = available - :amount, locked = if_not_exists(locked, :zero) + :amount',
      ConditionExpression: 'available >= :amount',
      ExpressionAttributeValues: { ':amount': amount, ':zero': 0 },
    },
  },
  onConditionFailed: 'balance_not_enough',
});

/** The step of a refund that succeeded: what was locked is gone. */
export const settleLocked = (table: Table, merchantId: MerchantId, amount: Amount): TransactionStep =>
  fromLocked(table, merchantId, amount, 'SET locked = locked - :amount');

/** The step of a refund that failed: what was locked is available again. */
export const releaseLocked = (table: Table, merchantId: MerchantId, amount: Amount): TransactionStep =>
  fromLocked(table, merchantId, amount, 'SET locked = locked - :amount, available = available + :amount');

const fromLocked = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  { currency, minor: amount }: Amount,
  UpdateExpression: string,
): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: balanceKey(merchantId, currency),
      UpdateExpression,
      ConditionExpression: 'locked >= :amount',
      ExpressionAttributeValues: { ':amount': amount },
    },
  },
});
