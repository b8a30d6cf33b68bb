import * as z from 'zod/mini';
import type { Bill } from '../bill/bill.ts';
import type { OrderQuery } from '../bill/ports.ts';
import type { BillId } from '../ids.ts';
import { batchGet } from './batch-get.ts';
import { findClaims } from './bill-claims.ts';
import { billKey, billOfOrderItem, newestOfOrderKey, orderPartition, toBill } from './bill-item.ts';
import { getItem } from './get-item.ts';
import { moment } from './moment.ts';
import { queryAll } from './query-all.ts';
import { storedId } from './stored-id.ts';
import { listShopIds } from './shops.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

const pointer = z.object({ billId: storedId<BillId>(), createdAt: moment });
type Pointer = z.infer<typeof pointer>;

/**
 * Points the order at its new bill, in the transaction that writes the bill. The same transaction moves the order reference
 * on condition that it is unchanged, which serializes the bills of one order and shop: the last one is the newest.
 */
export const pointOrderAt = ({ name: TableName }: Table, bill: Bill): readonly TransactionStep[] =>
  bill.orderId === undefined
    ? []
    : [
        {
          write: {
            Put: {
              TableName,
              Item: {
                ...newestOfOrderKey({ ...bill, orderId: bill.orderId }),
                billId: bill.id,
                createdAt: bill.createdAt.toISOString(),
              },
            },
          },
        },
        // Each bill of the order, for searches. It is written once.
        { write: { Put: { TableName, Item: billOfOrderItem({ ...bill, orderId: bill.orderId }) } } },
      ];

/**
 * Returns the newest bill of the order in one shop, or in all of the merchant's shops. A bill from before these pointers is
 * found by its order reference, which lives for 90 days.
 */
export async function findNewestOfOrder(
  table: Table,
  query: OrderQuery,
  now: Date,
): Promise<Bill | undefined> {
  const newest = newestOf(await pointersOf(table, query));
  return newest ? getItem(table, billKey(newest.billId), toBill) : newestByReference(table, query, now);
}

async function pointersOf(table: Table, query: OrderQuery): Promise<readonly Pointer[]> {
  const { shopId } = query;
  if (shopId === undefined) {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :order AND begins_with(SK, :shop)',
      ExpressionAttributeValues: { ':order': orderPartition(query), ':shop': 'S#' },
      ConsistentRead: true,
    });
    return items.map((item) => pointer.parse(item));
  }
  const found = await getItem(table, newestOfOrderKey({ ...query, shopId }), (item) => pointer.parse(item));
  return found ? [found] : [];
}

async function newestByReference(
  table: Table,
  { merchantId, orderId, shopId }: OrderQuery,
  now: Date,
): Promise<Bill | undefined> {
  const shopIds = shopId === undefined ? await listShopIds(table, merchantId) : [shopId];
  const keys = shopIds.map((scope) => ({ kind: 'order', merchantId, scope, key: orderId }) as const);
  const claimed = (await findClaims(table, keys, now)).filter((claim) => claim !== undefined);
  const bills = (
    await batchGet(
      table,
      claimed.map(({ billId }) => billKey(billId)),
    )
  ).map(toBill);
  return newestOf(bills.map((bill) => ({ ...bill, billId: bill.id })));
}

/** Of two created at the same time, the one with the larger id, so that every caller gets the same answer. */
function newestOf<P extends Pointer>(pointers: readonly P[]): P | undefined {
  const [newest] = pointers.toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.billId < b.billId ? 1 : -1),
  );
  return newest;
}
