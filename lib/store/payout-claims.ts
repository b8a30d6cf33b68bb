import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { GroupId, MerchantId } from '../ids.ts';
import type { CreationQuery, EarlierRequest, NewPayouts } from '../payout/ports.ts';
import { groupPartition } from './payout-item.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** The group: its key is what makes an order_id, or the hour of an automatic payout, unique for ever. */
export const groupKey = (groupId: GroupId) => ({ PK: groupPartition(groupId), SK: 'G' }) as const;

/** A known account lies among the groups, where both its writer and its reader may go. */
export const knownAccountKey = (merchantId: MerchantId, accountHash: string) =>
  ({ PK: `G#${merchantId}#${accountHash}`, SK: 'KNOWN' }) as const;

/** A mark without a person is from before only their approvals counted. */
const known = z.object({ approvedBy: z.optional(z.string()) });
export const isKnownAccount = (raw: unknown): boolean =>
  raw !== undefined && known.parse(raw).approvedBy !== undefined;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Personal and regular payouts share their keys, as they share their order_ids. */
export const idempotencyItemKey = (merchantId: MerchantId, key: string) =>
  ({ PK: `I#${merchantId}#payout/create#${sha256(key)}`, SK: 'I' }) as const;

/** Ten minutes of memory of one account and amount. */
export const duplicateKey = (merchantId: MerchantId, duplicateHash: string) =>
  ({ PK: `I#${merchantId}#duplicate#${duplicateHash}`, SK: 'I' }) as const;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const keptSeconds = { idempotency: 7 * 24 * 3600, duplicate: 600 };

/** The table removes what has expired in its own time, so every reader looks at the clock as well. */
const expiring = z.object({ ttl: z.number() });
export const isLive = (raw: unknown, now: Date): boolean =>
  raw !== undefined && expiring.parse(raw).ttl > seconds(now);

const earlier = z.object({ groupId: storedId<GroupId>(), fingerprint: z.string() });
export const toEarlierRequest = (raw: unknown): EarlierRequest => earlier.parse(raw);

const unlessLive = (now: Date) => ({
  ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': seconds(now) },
});

/** Puts the group; refused when the order has one. */
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

/** Puts the `Idempotency-Key`, for seven days; refused while another request has it. */
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
    ttl: seconds(now) + keptSeconds.idempotency,
  };
  return { write: { Put: { TableName, Item, ...unlessLive(now) } }, onConditionFailed: 'moved_meanwhile' };
};

/** Remembers account and amount for ten minutes. Refused while an earlier one lies there that creation had not seen. */
export const rememberForDuplicates = (
  { name: TableName }: Table,
  { merchantId, now }: CreationQuery,
  duplicateHash: string,
  seen: boolean,
): TransactionStep<'moved_meanwhile'> => {
  const Item = { ...duplicateKey(merchantId, duplicateHash), ttl: seconds(now) + keptSeconds.duplicate };
  const write = { Put: { TableName, Item, ...(seen ? {} : unlessLive(now)) } };
  return { write, onConditionFailed: 'moved_meanwhile' };
};
