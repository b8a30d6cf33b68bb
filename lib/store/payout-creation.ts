import * as z from 'zod/mini';
import type { Terms } from '../merchant/terms.ts';
import type {
  CreationContext,
  CreationQuery,
  EarlierRequest,
  MoveRefusal,
  NewPayouts,
} from '../payout/ports.ts';
import type { Result } from '../result.ts';
import { balanceKey } from './balance-item.ts';
import { batchGet } from './batch-get.ts';
import { putEntry } from './entry-item.ts';
import { merchantKey, toMerchant } from './merchant-item.ts';
import { payoutAccountKey, toPayoutAccount } from './payout-account-item.ts';
import { reserve, toPayoutBalance } from './payout-balance.ts';
import {
  claimKey,
  duplicateKey,
  groupKey,
  idempotencyItemKey,
  isKnownAccount,
  isLive,
  knownAccountKey,
  putGroup,
  rememberForDuplicates,
  toEarlierRequest,
} from './payout-claims.ts';
import { payoutNumberKey, toPayoutNumber } from './payout-number-item.ts';
import { checkAccount, checkMerchant, checkNumber, putPayout } from './payout-steps.ts';
import type { Table } from './table.ts';
import { termsKey, toTerms } from './terms-item.ts';
import { transact } from './transact.ts';

type Key = { readonly PK: string; readonly SK: string };

/** Reads everything that a creation needs in one strongly consistent batch. */
export async function loadCreationContext(
  table: Table,
  defaults: Terms,
  query: CreationQuery,
): Promise<CreationContext> {
  const keys = keysOf(query);
  const at = lookup(
    await batchGet(
      table,
      Object.values(keys).filter((key) => key !== undefined),
    ),
  );
  const live = (key: Key | undefined) => (isLive(at(key), query.now) ? at(key) : undefined);
  return {
    ...toPayoutBalance(at(keys.balance)),
    flags: ifFound(at(keys.merchant), toMerchant),
    terms: toTerms(at(keys.terms), defaults),
    account: ifFound(at(keys.account), toPayoutAccount),
    numberBanned: ifFound(at(keys.number), toPayoutNumber)?.banned ?? false,
    ofOrder: ifFound(at(keys.group), toEarlierRequest),
    ofKey: ifFound(live(keys.claim), toEarlierRequest),
    accountKnown: isKnownAccount(at(keys.known)),
    duplicateSeen: live(keys.duplicate) !== undefined,
  };
}

const ifFound = <T>(raw: unknown, read: (raw: unknown) => T): T | undefined =>
  raw === undefined ? undefined : read(raw);

function keysOf({ merchantId, currency, groupId, accountHash, ...query }: CreationQuery) {
  const { accountId, numberHash, idempotencyKey, duplicateHash } = query;
  return {
    merchant: merchantKey(merchantId),
    terms: termsKey(merchantId, currency),
    balance: balanceKey(merchantId, currency),
    group: groupKey(groupId),
    known: knownAccountKey(merchantId, accountHash),
    account: accountId === undefined ? undefined : payoutAccountKey(merchantId, accountId),
    number: numberHash === undefined ? undefined : payoutNumberKey(merchantId, numberHash),
    claim: idempotencyKey === undefined ? undefined : idempotencyItemKey(merchantId, idempotencyKey),
    duplicate: duplicateHash === undefined ? undefined : duplicateKey(merchantId, duplicateHash),
  };
}

const itemKey = z.object({ PK: z.string(), SK: z.string() });
const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;

function lookup(items: readonly unknown[]) {
  const found = new Map(items.map((item) => [nameOf(itemKey.parse(item)), item]));
  return (key: Key | undefined): unknown => key && found.get(nameOf(key));
}

/** Writes a creation. Everything that was read is a condition, so nothing is written on outdated facts. */
export function writePayouts(table: Table, created: NewPayouts): Promise<Result<void, MoveRefusal>> {
  const { groupId, fingerprint, payouts, entry, query, duplicateSeen } = created;
  const { merchantId, accountId, numberHash, idempotencyKey, duplicateHash } = query;
  return transact<MoveRefusal>(table, [
    checkMerchant(table, payouts[0]),
    ...(accountId === undefined ? [] : [checkAccount(table, merchantId, accountId)]),
    ...(numberHash === undefined ? [] : [checkNumber(table, merchantId, numberHash, 'moved_meanwhile')]),
    reserve(table, created),
    putGroup(table, created),
    ...payouts.map((payout) => putPayout(table, payout)),
    putEntry(table, entry),
    ...(idempotencyKey === undefined
      ? []
      : [claimKey(table, query, idempotencyKey, { groupId, fingerprint })]),
    ...(duplicateHash === undefined
      ? []
      : [rememberForDuplicates(table, query, duplicateHash, duplicateSeen)]),
  ]);
}

/** Binds a new `Idempotency-Key` to the payouts of an earlier order. */
export const bindKey = (
  table: Table,
  query: CreationQuery,
  earlier: EarlierRequest,
): Promise<Result<void, MoveRefusal>> =>
  transact(table, [claimKey(table, query, query.idempotencyKey ?? '', earlier)]);
