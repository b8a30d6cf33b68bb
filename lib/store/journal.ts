import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { type Latest, type LatestQuery, latestTime } from '../latest.ts';
import { authorizedKinds, type Entry } from '../ledger/entry.ts';
import { billCurrencies } from '../money/money.ts';
import type { Journal } from '../ledger/journal.ts';
import { batchGet } from './batch-get.ts';
import { entryPartition, timelineOf, toEntry } from './entry-item.ts';
import { latestOfTimeline } from './latest-of.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** The journal, for the operator. */
export const dynamoJournal = (table: Table): Journal => ({
  about: (id) => entriesAbout(table, id),
  latestOf: (merchantId, query) => latestOf(table, merchantId, query),
});

async function entriesAbout(table: Table, id: string): Promise<readonly Entry[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'PK = :about',
    ExpressionAttributeValues: { ':about': entryPartition(id) },
    ConsistentRead: true,
  });
  return byTime(items.map(toEntry));
}

/** An item of the timeline index. It has no merchant id: the index key contains it. */
const listed = z.looseObject({ PK: z.string(), SK: z.string(), kind: z.string() });
type Listed = z.infer<typeof listed>;

const isAuthorized = ({ kind }: Listed): boolean => authorizedKinds.some((each) => each === kind);

/** Completes index items to entries. The index has no approvers, so the few entries that people caused are read from the table. */
async function whole(
  table: Table,
  items: readonly Listed[],
  merchantId: MerchantId,
): Promise<readonly Entry[]> {
  const authorized = await batchGet(table, items.filter(isAuthorized));
  const others = items.filter((item) => !isAuthorized(item)).map((item) => ({ ...item, merchantId }));
  return [...authorized, ...others].map(toEntry);
}

/** Reads month by month, back to the month of `since`, until there are more entries than the limit. */
async function latestOf(
  table: Table,
  merchantId: MerchantId,
  { before, since, limit }: Parameters<Journal['latestOf']>[1],
): Promise<Latest<Entry>> {
  let items: readonly Entry[] = [];
  for (let month = monthOf(before); month >= monthOf(since); month = previous(month)) {
    const latest = await latestOfMonth(table, merchantId, month, { before, limit });
    items = [...latest.items, ...items];
    if (latest.completeFrom) return { items, completeFrom: latest.completeFrom };
    if (items.length > limit) return { items, completeFrom: new Date(`${month}-01`) };
  }
  return { items, completeFrom: undefined };
}

/** Returns the latest entries of one month: of all currencies, from the time on from which they are complete. */
async function latestOfMonth(
  table: Table,
  merchantId: MerchantId,
  month: string,
  query: LatestQuery,
): Promise<Latest<Entry>> {
  const pages = await Promise.all(
    billCurrencies.map((currency) =>
      latestOfTimeline(table, timelineOf(merchantId, currency, month.replace('-', '')), query),
    ),
  );
  const completeFrom = latestTime(pages.flatMap((page) => page.completeFrom ?? []));
  // Items that operators may write could carry this timeline attribute too, so only keys of entries count.
  const entries = pages
    .flatMap(({ items }) => items)
    .filter(
      ({ PK, at }) => PK.startsWith(entryPartition('')) && new Date(at) >= (completeFrom ?? new Date(0)),
    )
    .map((item) => listed.parse(item));
  return { items: byTime(await whole(table, entries, merchantId)), completeFrom };
}

/** `2026-11`, of UTC, as in the key of an entry's timeline. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
const previous = (month: string): string => monthOf(new Date(Date.parse(`${month}-01`) - 1));

const byTime = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
