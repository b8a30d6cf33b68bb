import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import type { Balance, Balances } from '../ledger/balance.ts';
import type { Entry, MerchantAccount } from '../ledger/entry.ts';
import { type BalanceCurrency, balanceCurrencies, sum } from '../money/money.ts';
import { balanceKey, listedBalance, setListed } from './balance-item.ts';
import { minor } from './minor.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

const none = z._default(minor, 0n);
const item = z.object({ SK: z.string(), available: none, locked: none, held: none, reserved: none });

export const dynamoBalances = (table: Table): Balances => ({
  of: (merchantId) => balancesOf(table, merchantId),
});

/** Reads the balances in one query. A currency without any movement has no item. */
async function balancesOf(
  { client, name: TableName }: Table,
  merchantId: MerchantId,
): Promise<readonly Balance[]> {
  const query = new QueryCommand({
    TableName,
    KeyConditionExpression: 'PK = :balances',
    ExpressionAttributeValues: { ':balances': balanceKey(merchantId, 'RUB').PK },
    ConsistentRead: true,
  });
  const { Items = [] } = await client.send(query);
  const found = Items.map((raw) => item.parse(raw));
  return balanceCurrencies.map((currency) => {
    const balance = found.find(({ SK }) => SK === balanceKey(merchantId, currency).SK);
    const { available = 0n, locked = 0n, held = 0n, reserved = 0n } = balance ?? {};
    return { currency, available, locked, held, reserved };
  });
}

/** The step that credits a merchant. Always in one transaction with a journal entry, whose key makes it happen once. */
export const credit = (
  table: Table,
  merchantId: MerchantId,
  { currency, minor: amount }: { readonly currency: BalanceCurrency; readonly minor: bigint },
): TransactionStep => add(table, merchantId, currency, { available: amount });

/** The step of a capture: credits what its entry makes available and what it reserves. */
export function creditCapture(
  table: Table,
  { merchantId, lines }: Entry,
  currency: BalanceCurrency,
): TransactionStep {
  const on = (account: MerchantAccount) =>
    sum(lines.filter((line) => line.account === account).map((line) => line.minor));
  const reserved = on('reserved');
  return add(table, merchantId, currency, {
    available: on('available'),
    ...(reserved !== 0n && { reserved }),
  });
}

const add = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  currency: BalanceCurrency,
  amounts: Readonly<Partial<Record<MerchantAccount, bigint>>>,
): TransactionStep => {
  const names = Object.keys(amounts);
  return {
    write: {
      Update: {
        TableName,
        Key: balanceKey(merchantId, currency),
        UpdateExpression: `SET merchantId = :merchant, currency = :currency, ${setListed} ADD ${names.map((name) => `${name} :${name}`).join(', ')}`,
        ExpressionAttributeValues: {
          ':merchant': merchantId,
          ':currency': currency,
          ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`:${name}`, amount])),
          ...listedBalance,
        },
      },
    },
  };
};

/** The step that lists a merchant's balance without moving money: for entries that post to the platform's accounts alone. */
export const listBalance = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  currency: BalanceCurrency,
): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: balanceKey(merchantId, currency),
      UpdateExpression: `SET merchantId = :merchant, currency = :currency, ${setListed}`,
      ExpressionAttributeValues: { ':merchant': merchantId, ':currency': currency, ...listedBalance },
    },
  },
});

/** The step of a release: makes a payment's reserve available. In one transaction with the payment's `released` and the entry. */
export const releaseReserved = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  { currency, minor: amount }: { readonly currency: BalanceCurrency; readonly minor: bigint },
): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: balanceKey(merchantId, currency),
      UpdateExpression: 'SET reserved = reserved - :amount, available = available + :amount',
      ConditionExpression: 'reserved >= :amount',
      ExpressionAttributeValues: { ':amount': amount },
    },
  },
});

/** The step that debits `available`, never below zero. In one transaction with a journal entry, like a credit. */
export const debit = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  { currency, minor: amount }: { readonly currency: BalanceCurrency; readonly minor: bigint },
): TransactionStep<'balance_not_enough'> => ({
  write: {
    Update: {
      TableName,
      Key: balanceKey(merchantId, currency),
      UpdateExpression: 'SET available = available - :amount',
      ConditionExpression: 'available >= :amount',
      ExpressionAttributeValues: { ':amount': amount },
    },
  },
  onConditionFailed: 'balance_not_enough',
});
