import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { BillId } from '../ids.ts';
import type { Payment } from '../payment/payment.ts';
import { groupOfOrder } from '../payout/payout-group.ts';
import { listingOf, listingOfRows, positionOf } from '../search/listing.ts';
import type { KeyedListings, Listings, OrderOf } from '../search/ports.ts';
import { billPartition, orderPartition } from './bill-item.ts';
import { moment } from './moment.ts';
import { paymentPrefix, toPayment } from './payment-item.ts';
import { groupPartition, toPayout } from './payout-item.ts';
import { refundPrefix, toRefund } from './refund-item.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';

/** The most items under a key that a search reads; where there are more, it reads the merchant's list. */
const most = 1_000;
/** An order of more bills than this is searched by the merchant's list: each bill takes a query. */
const mostBills = 50;
/** So many bills are read before their payments are counted: each may have as many as a search reads. */
const billsAtOnce = 5;

const ofOrder = z.object({ billId: storedId<BillId>(), createdAt: moment });

/** What is found by the id of an order, a bill or a payment. */
export function dynamoKeyedListings(table: Table, { bills }: Pick<Listings, 'bills'>): KeyedListings {
  const billsOf = async (order: OrderOf) =>
    (await under(table, orderPartition(order)))?.map((raw) => ofOrder.parse(raw));
  const paymentsOf = async (ids: readonly BillId[]) => {
    const payments: Payment[] = [];
    for (let at = 0; at < ids.length; at += billsAtOnce) {
      const some = ids.slice(at, at + billsAtOnce);
      const found = await Promise.all(some.map((id) => under(table, billPartition(id), paymentPrefix)));
      if (found.includes(undefined)) return undefined;
      payments.push(...found.flatMap((items) => items ?? []).map(toPayment));
      if (payments.length > most) return undefined;
    }
    return listingOf(payments);
  };
  return {
    async billsOfOrder(order) {
      const found = await billsOf(order);
      if (!found) return undefined;
      const rows = found.map(({ billId: id, createdAt }) => positionOf({ id, createdAt }));
      const list = bills({ merchantId: order.merchantId, shards: undefined });
      return listingOfRows(rows, (some) => list.read(some));
    },
    async paymentsOfOrder(order) {
      const found = await billsOf(order);
      const ids = [...new Set(found?.map(({ billId }) => billId))];
      return found && ids.length <= mostBills ? paymentsOf(ids) : undefined;
    },
    paymentsOfBill: (id) => paymentsOf([id]),
    async payoutsOfOrder({ merchantId, orderId }) {
      const parts = await under(table, groupPartition(groupOfOrder(merchantId, orderId)), 'PO#');
      return listingOf((parts ?? []).map(toPayout));
    },
    async refundsOf({ billId, paymentId = '' }) {
      const found = await under(table, billPartition(billId), `${refundPrefix}${paymentId}`);
      return found && listingOf(found.map(toRefund));
    },
  };
}

/** Reads the items of a partition whose sort key begins so, or all of them; undefined when there are more than a search reads. */
async function under(
  { client, name: TableName }: Table,
  partition: string,
  prefix?: string,
): Promise<readonly unknown[] | undefined> {
  const items: unknown[] = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: `PK = :partition${prefix === undefined ? '' : ' AND begins_with(SK, :prefix)'}`,
        ExpressionAttributeValues: {
          ':partition': partition,
          ...(prefix !== undefined && { ':prefix': prefix }),
        },
        ConsistentRead: true,
        Limit: most + 1 - items.length,
        ExclusiveStartKey,
      }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey && items.length <= most);
  return items.length > most ? undefined : items;
}
