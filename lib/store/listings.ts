import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toBillId, toMerchantId, toPaymentId, toPayoutId, toRefundId } from '../ids.ts';
import {
  beyondRow,
  type Cut,
  cutAt,
  type Direction,
  idAt,
  type Listing,
  type Position,
  positionOf,
  type RowQuery,
  type Rows,
} from '../search/listing.ts';
import type { Listings, Owner } from '../search/ports.ts';
import { batchGet } from './batch-get.ts';
import { billKey, toBill } from './bill-item.ts';
import { eventKey, toEvent } from './event-item.ts';
import { type ListedKind, listPartition, merchantPartition, shardsOf } from './list-index.ts';
import { merchantKey, toMerchant } from './merchant-item.ts';
import { paymentKey, toPayment } from './payment-item.ts';
import { payoutKey, toPayout } from './payout-item.ts';
import { refundKey, toRefund } from './refund-item.ts';
import { type Table, tableSchema } from './table.ts';

/** The lists of the LIST index. */
export const dynamoListings = (table: Table): Listings => ({
  bills: (of) => ownListing(table, 'bill', of, { keyOf: (id) => billKey(toBillId(id)), parse: toBill }),
  payments: (of) =>
    ownListing(table, 'payment', of, { keyOf: (id) => paymentKey(toPaymentId(id)), parse: toPayment }),
  payouts: (of) =>
    ownListing(table, 'payout', of, { keyOf: (id) => payoutKey(toPayoutId(id)), parse: toPayout }),
  refunds: (of) =>
    ownListing(table, 'refund', of, { keyOf: (id) => refundKey(toRefundId(id)), parse: toRefund }),
  events: (of) => ownListing(table, 'event', of, { keyOf: eventKey, parse: toEvent }),
  merchants: () => ({
    rows: (query) => rowsOf(table, [[merchantPartition]], query, () => undefined),
    read: (rows) =>
      readRows(table, rows, { keyOf: (id) => merchantKey(toMerchantId(id)), parse: toMerchant }),
  }),
});

type Key = { readonly PK: string; readonly SK: string };
type Items<T> = { readonly keyOf: (id: string) => Key; readonly parse: (raw: unknown) => T };
type Listed = { readonly id: string; readonly createdAt: Date };
type Owned = Listed & { readonly merchantId: string };

/** A merchant's own items. An item that names another merchant is left out, whatever its index key says. */
function ownListing<T extends Owned>(
  table: Table,
  kind: ListedKind,
  { merchantId, shards }: Owner,
  items: Items<T>,
): Listing<T> {
  const partitionsOf = (month: string) =>
    shardsOf(shards).map((shard) =>
      listPartition(kind, { merchantId, month: month.replace('-', ''), shard }),
    );
  return {
    rows(query) {
      const months = monthsOf(query);
      return rowsOf(table, months.map(partitionsOf), query, (visited) =>
        monthCut(months, visited, query.direction),
      );
    },
    async read(rows) {
      const read = await readRows(table, rows, items);
      return new Map([...read].filter(([, item]) => item.merchantId === merchantId));
    },
  };
}

async function readRows<T extends Listed>(
  table: Table,
  rows: readonly Position[],
  { keyOf, parse }: Items<T>,
): Promise<ReadonlyMap<Position, T>> {
  const items = (
    await batchGet(
      table,
      rows.map((row) => keyOf(idAt(row))),
    )
  ).map(parse);
  return new Map(items.map((item) => [positionOf(item), item]));
}

/** The months of UTC from the cut to the end of the window, `2026-11`, in the direction of reading. */
function monthsOf(query: RowQuery): readonly string[] {
  const { low, high } = spanOf(query);
  const months: string[] = [];
  for (let at = startOfMonth(timeOf(low)); at.toISOString() < high; at = startOfMonth(at, 1))
    months.push(at.toISOString().slice(0, 7));
  return query.direction === 'older' ? months.toReversed() : months;
}

const timeOf = (cut: Cut): Date => new Date(cut.slice(0, cutAt(new Date(0)).length));
const startOfMonth = (at: Date, later = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1));

/** The texts between which the rows are: not before `low`, before `high`. */
function spanOf({ window, cut, direction }: Omit<RowQuery, 'limit'>): {
  readonly low: Cut;
  readonly high: Cut;
} {
  const [low, high] = [cutAt(window.from), cutAt(window.to)];
  return direction === 'older'
    ? { low, high: cut < high ? cut : high }
    : { low: cut > low ? cut : low, high };
}

/** Where to go on after so many months without a row to go on from. */
const monthCut = (months: readonly string[], visited: number, direction: Direction): Cut =>
  `${months[direction === 'older' ? visited - 1 : visited]}-01T00:00:00.000Z`;

/** A call visits this many months at most: 1, then 2, 4 and 8 at a time while too few rows are found. */
const mostMonths = 23;
const mostMonthsAtOnce = 8;

/** Reads the rows of consecutive groups of partitions (those of a month) until there are enough. */
async function rowsOf(
  table: Table,
  groups: readonly (readonly string[])[],
  query: RowQuery,
  cutBeyond: (visited: number) => Cut | undefined,
): Promise<Rows> {
  const { direction, limit } = query;
  const found: Position[] = [];
  let visited = 0;
  for (let wide = 1; visited < Math.min(groups.length, mostMonths) && found.length < limit; wide *= 2) {
    const some = groups.slice(visited, visited + Math.min(wide, mostMonthsAtOnce));
    const pages = await Promise.all(some.flat().map((partition) => rowsIn(table, partition, query)));
    const ascending = pages.flat().toSorted();
    found.push(...(direction === 'older' ? ascending.toReversed() : ascending));
    visited += some.length;
  }
  const rows = found.slice(0, limit);
  if (found.length >= limit) return { rows, reached: beyondRow(rows.at(-1), direction) };
  return { rows, reached: visited < groups.length ? cutBeyond(visited) : undefined };
}

const row = z.object({ listAt: z.string() });

/** Reads at most `limit` rows of one partition. */
async function rowsIn(
  { client, name: TableName }: Table,
  partition: string,
  query: RowQuery,
): Promise<readonly Position[]> {
  const { low, high } = spanOf(query);
  const found: Position[] = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  if (low > high) return found;
  do {
    const command = new QueryCommand({
      TableName,
      IndexName: tableSchema.list.name,
      KeyConditionExpression: '#list = :partition AND #at BETWEEN :low AND :high',
      ExpressionAttributeNames: { '#list': tableSchema.list.partitionKey, '#at': tableSchema.list.sortKey },
      ExpressionAttributeValues: { ':partition': partition, ':low': low, ':high': high },
      ScanIndexForward: query.direction === 'newer',
      // The row at the cut itself is on its newer side.
      Limit: query.limit + 1 - found.length,
      ExclusiveStartKey,
    });
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    found.push(...Items.map((item) => row.parse(item).listAt).filter((at) => at < high));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey && found.length < query.limit);
  return found.slice(0, query.limit);
}
