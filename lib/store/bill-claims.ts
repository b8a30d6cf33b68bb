import * as z from 'zod/mini';
import type { Claim, ClaimedBill, ClaimKey } from '../bill/ports.ts';
import type { BillId } from '../ids.ts';
import { batchGet } from './batch-get.ts';
import { billClaimKey, toClaimedBill } from './bill-item.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

const ttlDays = { order: 90, idempotency: 7 } as const;
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const itemKey = z.object({ PK: z.string() });

/** Returns what each key points at now, in the order of the keys. */
export async function findClaims(
  table: Table,
  keys: readonly ClaimKey[],
  now: Date,
): Promise<readonly (ClaimedBill | undefined)[]> {
  const items = await batchGet(table, keys.map(billClaimKey));
  const found = new Map(items.map((item) => [itemKey.parse(item).PK, toClaimedBill(item, now)]));
  return keys.map((key) => found.get(billClaimKey(key).PK));
}

type Move = {
  readonly billId: BillId;
  readonly claims: readonly Claim[];
  readonly seen: readonly (ClaimedBill | undefined)[];
  readonly now: Date;
};

/** Points the claims at the bill, on condition that they are unchanged since they were read. */
export const moveClaims = (
  { name: TableName }: Table,
  { billId, claims, seen, now }: Move,
): readonly TransactionStep<'claimed_meanwhile'>[] =>
  claims.map(({ fingerprint, ...key }, at) => {
    const ttl = seconds(now) + ttlDays[key.kind] * 24 * 3600;
    const Item = { ...billClaimKey(key), billId, fingerprint, ttl };
    return {
      write: { Put: { TableName, Item, ...asSeen(seen[at], now) } },
      onConditionFailed: 'claimed_meanwhile',
    };
  });

const asSeen = (seen: ClaimedBill | undefined, now: Date) =>
  seen
    ? {
        ConditionExpression: 'billId = :seen AND fingerprint = :fingerprint',
        ExpressionAttributeValues: { ':seen': seen.billId, ':fingerprint': seen.fingerprint },
      }
    : {
        ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': seconds(now) },
      };
