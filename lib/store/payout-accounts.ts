import type { AccountId, MerchantId } from '../ids.ts';
import type { PayoutAccount, PayoutNumber } from '../payout/account.ts';
import type { MoveRefusal, PayoutAccounts } from '../payout/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { assign } from './assign.ts';
import { changeItem, changeSteps } from './changes.ts';
import { getItem } from './get-item.ts';
import { merchantKey } from './merchant-item.ts';
import {
  payoutAccountItem,
  payoutAccountKey,
  payoutAccountPrefix,
  toPayoutAccount,
} from './payout-account-item.ts';
import { isKnownAccount, knownAccountKey } from './payout-claims.ts';
import { findNumber, putNumber } from './payout-number-item.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

type Changes = Parameters<PayoutAccounts['set']>[2];

/** Stored payout accounts. A ban applies to the number, so all accounts of one number are banned together. */
export const dynamoPayoutAccounts = (table: Table): PayoutAccounts => ({
  create: (account) => create(table, account),
  find: (merchantId, accountId) => getItem(table, payoutAccountKey(merchantId, accountId), toPayoutAccount),
  set: (merchantId, accountId, changes) => set(table, merchantId, accountId, changes),
  index: (account, numberHash) => index(table, account, numberHash),

  async forget(merchantId, accountHash) {
    const Key = knownAccountKey(merchantId, accountHash);
    const isKnown = isKnownAccount(await getItem(table, Key, (raw) => raw));
    await transact(table, [
      { write: { Delete: { TableName: table.name, Key } } },
      ...(isKnown ? await changeSteps(table, merchantId, { known: true }, {}) : []),
    ]);
    return isKnown;
  },

  async listOf(merchantId) {
    const { PK } = merchantKey(merchantId);
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :merchant AND begins_with(SK, :account)',
      ExpressionAttributeValues: { ':merchant': PK, ':account': payoutAccountPrefix },
      ConsistentRead: true,
    });
    return items.map(toPayoutAccount);
  },
});

async function create(
  table: Table,
  account: PayoutAccount & { readonly numberHash: string },
): Promise<PayoutAccount> {
  return ofNumber(table, account, account.numberHash, (number) => {
    const made = { ...account, banned: account.banned || number.banned };
    const put = {
      write: {
        Put: {
          TableName: table.name,
          Item: payoutAccountItem(made),
          ConditionExpression: 'attribute_not_exists(PK)',
        },
      },
    };
    return { account: made, steps: [put], accounts: [...number.accounts, account.id] };
  });
}

async function index(table: Table, account: PayoutAccount, numberHash: string): Promise<PayoutAccount> {
  return ofNumber(table, account, numberHash, (number) => {
    const known = { ...account, numberHash, banned: account.banned || number.banned };
    const steps = [change(table, account.merchantId, account.id, { numberHash, banned: known.banned })];
    const twins = number.accounts.filter((id) => id !== account.id);
    return { account: known, steps, accounts: [...twins, account.id] };
  });
}

async function set(
  table: Table,
  merchantId: MerchantId,
  accountId: AccountId,
  changes: Changes,
): Promise<Result<PayoutAccount, 'payout_account_not_found'>> {
  const account = await getItem(table, payoutAccountKey(merchantId, accountId), toPayoutAccount);
  if (!account) return fail('payout_account_not_found');
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (changes.banned === undefined || account.numberHash === undefined)
    return setAlone(table, account, given);
  const { banned } = changes;
  const done = await ofNumber(table, account, account.numberHash, ({ accounts }) => ({
    account: { ...account, ...given, banned },
    steps: [change(table, merchantId, accountId, given)],
    accounts,
  }));
  return ok(done);
}

async function setAlone(
  table: Table,
  { merchantId, id }: PayoutAccount,
  given: Changes,
): Promise<Result<PayoutAccount, 'payout_account_not_found'>> {
  const key = payoutAccountKey(merchantId, id);
  const changed = await changeItem(table, {
    key,
    about: merchantId,
    changes: { ...given, id },
    mustExist: true,
  });
  return changed ? ok(toPayoutAccount(changed)) : fail('payout_account_not_found');
}

type Written = {
  readonly account: PayoutAccount;
  /** The writes of this account. */
  readonly steps: readonly TransactionStep[];
  /** All accounts of the number after the write. */
  readonly accounts: readonly AccountId[];
};

/** Writes an account together with its number. When the ban changes, the number's other accounts are written too. */
async function ofNumber(
  table: Table,
  { merchantId, id }: PayoutAccount,
  numberHash: string,
  write: (number: PayoutNumber) => Written,
): Promise<PayoutAccount> {
  const attempt = async (): Promise<PayoutAccount | typeof conflict> => {
    const number = await findNumber(table, merchantId, numberHash);
    const { account, steps, accounts } = write(number);
    const { banned } = account;
    const twins = banned === number.banned ? [] : accounts.filter((other) => other !== id);
    const before = await getItem(table, payoutAccountKey(merchantId, id), toPayoutAccount);
    const written = await transact<MoveRefusal>(table, [
      putNumber(table, { ...number, accounts, banned }),
      ...steps,
      ...twins.map((twin) => change(table, merchantId, twin, { banned })),
      ...(await changeSteps(table, merchantId, before ?? {}, account)),
    ]);
    return written.ok ? account : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The number of a payout account') });
}

const change = (
  { name: TableName }: Table,
  merchantId: MerchantId,
  accountId: AccountId,
  changes: Readonly<Record<string, unknown>>,
) => ({
  write: {
    Update: {
      TableName,
      Key: payoutAccountKey(merchantId, accountId),
      // Writing the unchanged id keeps the update valid when there are no other changes.
      ...assign({ ...changes, id: accountId }),
      ConditionExpression: 'attribute_exists(PK)',
    },
  },
});
