import type { AccountId, MerchantId } from '../ids.ts';
import { approverOf, type Payout } from '../payout/payout.ts';
import type { BanRefusal, MoveRefusal } from '../payout/ports.ts';
import { merchantKey } from './merchant-item.ts';
import { payoutAccountKey } from './payout-account-item.ts';
import { knownAccountKey } from './payout-claims.ts';
import { payoutItem } from './payout-item.ts';
import { payoutNumberKey } from './payout-number-item.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** The merchant must be allowed to pay out at the time of the write; the authorizer's answer may be outdated. */
export const checkMerchant = (
  { name: TableName }: Table,
  { merchantId, kind }: Payout,
): TransactionStep<MoveRefusal> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: merchantKey(merchantId),
      ConditionExpression: `banned = :no AND verified = :yes AND subscription = :active${kind === 'regular' ? ' AND regularPayouts = :yes' : ''}`,
      ExpressionAttributeValues: { ':no': false, ':yes': true, ':active': 'active' },
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

/** For approving and sending: the merchant, the stored account or the number may have been banned since the creation. */
export const checkNotBanned = (
  table: Table,
  { merchantId, accountId, numberHash }: Payout,
): readonly TransactionStep<BanRefusal>[] => [
  notBanned(table, merchantKey(merchantId), 'merchant_banned'),
  ...(accountId === undefined
    ? []
    : [notBanned(table, payoutAccountKey(merchantId, accountId), 'payout_account_banned')]),
  ...(numberHash === undefined
    ? []
    : [checkNumber(table, merchantId, numberHash, 'payout_account_banned' as const)]),
];

/** For creating, approving and sending: the number that a regular payout names is not banned. Most numbers have no item. */
export const checkNumber = <R extends MoveRefusal | BanRefusal>(
  { name: TableName }: Table,
  merchantId: MerchantId,
  numberHash: string,
  onConditionFailed: R,
): TransactionStep<R> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: payoutNumberKey(merchantId, numberHash),
      ConditionExpression: 'attribute_not_exists(PK) OR banned = :no',
      ExpressionAttributeValues: { ':no': false },
    },
  },
  onConditionFailed,
});

const notBanned = (
  { name: TableName }: Table,
  Key: ReturnType<typeof merchantKey> | ReturnType<typeof payoutAccountKey>,
  onConditionFailed: BanRefusal,
): TransactionStep<BanRefusal> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key,
      ConditionExpression: 'banned = :no',
      ExpressionAttributeValues: { ':no': false },
    },
  },
  onConditionFailed,
});

/** For creating: the account may have been banned or made unavailable since it was read. */
export const checkAccount = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  accountId: AccountId,
): TransactionStep<MoveRefusal> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: payoutAccountKey(merchantId, accountId),
      ConditionExpression: 'banned = :no AND available = :yes',
      ExpressionAttributeValues: { ':no': false, ':yes': true },
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

/** The step that writes a new payout. It fails when the payout already exists. */
export const putPayout = ({ name: TableName }: Table, payout: Payout): TransactionStep<MoveRefusal> => ({
  write: {
    Put: { TableName, Item: payoutItem(payout), ConditionExpression: 'attribute_not_exists(PK)' },
  },
  onConditionFailed: 'moved_meanwhile',
});

/** The step of every transition, on condition that status and revision are those of `before`. */
export const replacePayout = (
  { name: TableName }: Table,
  before: Payout,
  after: Payout,
): TransactionStep<MoveRefusal> => ({
  write: {
    Put: {
      TableName,
      Item: payoutItem(after),
      ConditionExpression: '#status = :status AND revision = :revision',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': before.status, ':revision': before.revision },
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

/** The step that marks an account as known: a payout to it that a person approved was paid. */
export function markAccountKnown({ name: TableName }: Table, payout: Payout): readonly TransactionStep[] {
  const approvedBy = approverOf(payout);
  if (approvedBy === undefined) return [];
  const Item = {
    ...knownAccountKey(payout.merchantId, payout.accountHash),
    lastPaidBy: payout.id,
    approvedBy,
  };
  return [{ write: { Put: { TableName, Item } } }];
}
