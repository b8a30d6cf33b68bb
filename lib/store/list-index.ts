import { createHash } from 'node:crypto';
import { positionOf } from '../search/listing.ts';
import { type BillId, type MerchantId, type PaymentId, shardOfPayment } from '../ids.ts';

/**
 * The kinds of items on the LIST index, with their abbreviation in its partition key. Bills, payments, payouts and refunds are listed
 * by merchant and month, as postbacks are; merchants in one partition.
 */
const kinds = { bill: 'B', payment: 'P', payout: 'PO', refund: 'R', event: 'E' } as const;
export type ListedKind = keyof typeof kinds;

/** The partition of a kind: a merchant's items that were created in one month of UTC, in one of the merchant's shards. */
type Partition = { readonly merchantId: MerchantId; readonly month: string; readonly shard: string };
export const listPartition = (kind: ListedKind, { merchantId, month, shard }: Partition) =>
  `LIST#${kinds[kind]}#${merchantId}#${month}#${shard}` as const;

/** The month of UTC, `202611`: a record's zone may change, a key never does. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7).replace('-', '');

type Created = { readonly merchantId: MerchantId; readonly id: string; readonly createdAt: Date };

/**
 * Returns the attributes that list an item on the LIST index. They are written once, when the item is created, and depend only on what
 * never changes of it. An item that is replaced by a put needs them again.
 */
export const listed = (kind: ListedKind, { merchantId, id, createdAt }: Created, shard = firstShard) => ({
  list: listPartition(kind, { merchantId, month: monthOf(createdAt), shard }),
  listAt: positionOf({ id, createdAt }),
});

export const merchantPartition = 'LIST#M';
/** Returns the attributes that list a merchant. */
export const listedMerchant = ({ id, createdAt }: Pick<Created, 'id' | 'createdAt'>) => ({
  list: merchantPartition,
  listAt: positionOf({ id, createdAt }),
});

const firstShard = '00';
/** The most shards that a merchant may have. */
const mostShards = 64;

/** Returns the names of a merchant's shards; undefined: it has one. */
export const shardsOf = (shards = 1): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => shardName(shard));

const shardName = (shard: number): string => String(shard).padStart(2, '0');

/** Returns the shard of a new bill of a merchant with so many. */
export const listShardOfBill = (id: BillId, shards = 1): string =>
  shardName(createHash('sha256').update(id).digest().readUInt8(0) % shards);

/** Whether the partition is one that the bill may be listed in: how many shards its merchant had then is not known. */
export const mayListBill = (bill: Created & { readonly id: BillId }, list: string): boolean =>
  shardsOf(mostShards).some(
    (_, fewer) => list === listed('bill', bill, listShardOfBill(bill.id, fewer + 1)).list,
  );

/** A payment's id has its shard. */
export const listShardOfPayment = (id: PaymentId): string => shardOfPayment(id);
