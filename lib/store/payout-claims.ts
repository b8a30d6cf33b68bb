import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { GroupId, MerchantId, PayoutId } from '../ids.ts';
import type { KnownAccount } from '../payout/account.ts';
import { payoutCurrencies } from '../payout/payout.ts';
import type { PayoutClaim, PayoutGroup } from '../payout/payout-group.ts';
import type { CreationQuery, EarlierRequest, NewPayouts } from '../payout/ports.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { groupPartition } from './payout-item.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** The group. Its key makes an order_id, or the hour of an automatic payout, unique permanently. */
export const groupKey = (groupId: GroupId) => ({ PK: groupPartition(groupId), SK: 'G' }) as const;

/** A known account is stored among the groups, a key range that both its writer and its reader have IAM rights for. */
export const knownAccountKey = (merchantId: MerchantId, accountHash: string) =>
  ({ PK: `G#${merchantId}#${accountHash}`, SK: 'KNOWN' }) as const;

const known = z.object({ lastPaidBy: orAbsent(storedId<PayoutId>()), approvedBy: orAbsent(z.string()) });
export const isKnownAccount = (raw: unknown): boolean =>
  raw !== undefined && known.parse(raw).approvedBy !== undefined;
const knownAccountName = z.tuple([z.literal('G'), storedId<MerchantId>(), z.string()]);
export function toKnownAccount(raw: { readonly PK: string }): KnownAccount {
  const [, merchantId, accountHash] = knownAccountName.parse(raw.PK.split('#'));
  return { merchantId, accountHash, ...known.parse(raw) };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Personal and regular payouts share idempotency keys, as they share order_ids. */
export const idempotencyItemKey = (merchantId: MerchantId, key: string) =>
  payoutClaimKey(merchantId, sha256(key));
export const payoutClaimKey = (merchantId: MerchantId, keyHash: string) =>
  ({ PK: `I#${merchantId}#payout/create#${keyHash}`, SK: 'I' }) as const;

/** The mark that detects a second payout to one account with one amount within ten minutes. */
export const duplicateKey = (merchantId: MerchantId, duplicateHash: string) =>
  ({ PK: `I#${merchantId}#duplicate#${duplicateHash}`, SK: 'I' }) as const;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const ttlSeconds = { idempotency: 7 * 24 * 3600, duplicate: 600 };

/** DynamoDB deletes expired items late, so every reader compares the TTL with the clock. */
const expiring = z.object({ ttl: z.number() });
export const isLive = (raw: unknown, now: Date): boolean =>
  raw !== undefined && expiring.parse(raw).ttl > seconds(now);

const group = z.object({
  groupId: storedId<GroupId>(),
  fingerprint: z.string(),
  merchantId: storedId<MerchantId>(),
  currency: z.enum(payoutCurrencies),
  orderId: orAbsent(z.string()),
  createdAt: moment,
} satisfies Record<AttributeOf<PayoutGroup>, z.ZodMiniType>);
export const toPayoutGroup = (raw: unknown): PayoutGroup => group.parse(raw);

const earlier = z.object({ groupId: storedId<GroupId>(), fingerprint: z.string() });
export const toEarlierRequest = (raw: unknown): EarlierRequest => earlier.parse(raw);

const claimName = z.tuple([z.literal('I'), storedId<MerchantId>(), z.literal('payout/create'), z.string()]);
const claim = z.object({ groupId: storedId<GroupId>(), fingerprint: z.string(), ttl: z.number() });
/** Parses an `Idempotency-Key` of payouts. */
export function toPayoutClaim(raw: { readonly PK: string }): PayoutClaim {
  const [, merchantId, , keyHash] = claimName.parse(raw.PK.split('#'));
  const { ttl, ...request } = claim.parse(raw);
  return { merchantId, keyHash, ...request, expiresAt: new Date(ttl * 1000) };
}

const unlessLive = (now: Date) => ({
  ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': seconds(now) },
});

/** The step that writes the group. It fails when the order already has one. */
export const putGroup = (
  { name: TableName }: Table,
  { groupId, fingerprint, payouts: [first], query }: NewPayouts,
): TransactionStep<'moved_meanwhile'> => {
  const { merchantId, orderId, createdAt } = first;
  const Item = {
    ...groupKey(groupId),
    groupId,
    fingerprint,
    merchantId,
    currency: query.currency,
    ...(orderId !== undefined && { orderId }),
    createdAt: createdAt.toISOString(),
  };
  const write = { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } };
  return { write, onConditionFailed: 'moved_meanwhile' };
};

/** The step that writes the `Idempotency-Key` for seven days. It fails while another request holds the key. */
export const claimKey = (
  { name: TableName }: Table,
  { merchantId, now }: CreationQuery,
  key: string,
  request: EarlierRequest,
): TransactionStep<'moved_meanwhile'> => {
  const Item = {
    ...idempotencyItemKey(merchantId, key),
    groupId: request.groupId,
    fingerprint: request.fingerprint,
    ttl: seconds(now) + ttlSeconds.idempotency,
  };
  return { write: { Put: { TableName, Item, ...unlessLive(now) } }, onConditionFailed: 'moved_meanwhile' };
};

/** The step that marks account and amount for ten minutes. It fails when a mark exists that the creation has not seen. */
export const rememberForDuplicates = (
  { name: TableName }: Table,
  { merchantId, now }: CreationQuery,
  duplicateHash: string,
  seen: boolean,
): TransactionStep<'moved_meanwhile'> => {
  const Item = { ...duplicateKey(merchantId, duplicateHash), ttl: seconds(now) + ttlSeconds.duplicate };
  const write = { Put: { TableName, Item, ...(seen ? {} : unlessLive(now)) } };
  return { write, onConditionFailed: 'moved_meanwhile' };
};
