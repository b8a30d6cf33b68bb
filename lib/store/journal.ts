import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { authorizedKinds, type Entry } from '../ledger/entry.ts';
import { balanceCurrencies } from '../money/money.ts';
import type { Journal } from '../ledger/journal.ts';
import { batchGet } from './batch-get.ts';
import { entryPartition, timelineOf, toEntry } from './entry-item.ts';
import { queryAll } from './query-all.ts';
import { type Table, tableSchema } from './table.ts';

/** The journal, for the operator. */
export const dynamoJournal = (table: Table): Journal => ({
  about: (id) => entriesAbout(table, id),
  latestOf: (merchantId, at, limit) => latestOf(table, merchantId, { at, limit }),
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

/** Returns the latest entries of this month and the previous one, so that the first days of a month show some. */
async function latestOf(
  table: Table,
  merchantId: MerchantId,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<readonly Entry[]> {
  const { client, name: TableName } = table;
  const months = [at, lastMonth(at)].map((day) => day.toISOString().slice(0, 7).replace('-', ''));
  const partitions = balanceCurrencies.flatMap((currency) =>
    months.map((month) => [currency, month] as const),
  );
  const pages = partitions.map(async ([currency, month]) => {
    const query = new QueryCommand({
      TableName,
      IndexName: tableSchema.timeline.name,
      KeyConditionExpression: 'timeline = :month',
      ExpressionAttributeValues: { ':month': timelineOf(merchantId, currency, month) },
      ScanIndexForward: false,
      Limit: limit,
    });
    const { Items = [] } = await client.send(query);
    // Items that operators may write could carry this timeline attribute too, so only keys of entries count.
    const entries = Items.filter(({ PK }) => String(PK).startsWith(entryPartition('')));
    return whole(
      table,
      entries.map((item) => listed.parse(item)),
      merchantId,
    );
  });
  return byTime((await Promise.all(pages)).flat())
    .toReversed()
    .slice(0, limit);
}

const lastMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0));

const byTime = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
