import {
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { entryId } from '../ledger/entry.ts';
import type { Period } from '../reconciliation/day.ts';
import type { SealedJournal, StoredEntry } from '../seal/ports.ts';
import type { Chain } from '../seal/seal.ts';
import { balanceList } from './balance-item.ts';
import { batchGet } from './batch-get.ts';
import { entryPartition, readEntry, timelineOf } from './entry-item.ts';
import { getItem } from './get-item.ts';
import { merchantKey } from './merchant-item.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import { type Table, tableSchema } from './table.ts';
import { everythingOn } from './work-list.ts';

const entriesPerPage = 400;

/** The journal as it is sealed: the index lists a chain's entries, which are read whole from the table. */
export const dynamoSealedJournal = (table: Table): SealedJournal => ({
  entriesOf: (chain, period) => entriesOf(table, chain, period),
  createdAt: (merchantId) =>
    getItem(table, merchantKey(merchantId), (raw) => created.safeParse(raw).data?.createdAt),
  async merchants({ everyone }) {
    const some = await Promise.all([listedMerchants(table), everyone ? allMerchants(table) : []]);
    return [...new Set(some.flat())].toSorted();
  },
});

const created = z.object({ createdAt: moment });
const keyed = z.looseObject({ PK: z.string(), SK: z.string(), at: z.string() });
type Keyed = z.infer<typeof keyed>;

async function* entriesOf(
  table: Table,
  { merchantId, currency }: Chain,
  period: Period,
): AsyncGenerator<readonly StoredEntry[]> {
  if (period.from >= period.to) return;
  for (const month of monthsOf(period)) {
    let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: tableSchema.timeline.name,
          KeyConditionExpression: 'timeline = :timeline AND #at BETWEEN :from AND :last',
          ExpressionAttributeNames: { '#at': tableSchema.timeline.sortKey },
          ExpressionAttributeValues: {
            ':timeline': timelineOf(merchantId, currency, month),
            ':from': period.from.toISOString(),
            ':last': new Date(period.to.getTime() - 1).toISOString(),
          },
          Limit: entriesPerPage,
          ExclusiveStartKey,
        }),
      );
      // Items that operators may write could carry this timeline attribute too, so only keys of entries count.
      const keys = (page.Items ?? []).flatMap((raw) => {
        const item = keyed.parse(raw);
        return item.PK.startsWith(entryPartition('')) ? [item] : [];
      });
      if (keys.length > 0) yield await whole(table, keys);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
}

/** Reads the entries from the table, ordered by their time. */
async function whole(table: Table, keys: readonly Keyed[]): Promise<readonly StoredEntry[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / 100) }, (_, batch) =>
    batchGet(table, keys.slice(batch * 100, (batch + 1) * 100)),
  );
  const items = (await Promise.all(batches)).flat().map((raw) => keyed.parse(raw));
  return items.map(toStored).toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** An item whose key does not say what its content says is no entry: other checks of the audit tell more of it. */
function toStored(item: Keyed): StoredEntry {
  const id = `${item.PK.slice(entryPartition('').length)} ${item.SK}`;
  const entry = readEntry(item);
  return { id, at: new Date(item.at), entry: entry && entryId(entry) === id ? entry : undefined };
}

/** The months of UTC that the period touches: entries are listed by them. */
function monthsOf({ from, to }: Period): readonly string[] {
  const first = monthNumber(from);
  const last = monthNumber(new Date(to.getTime() - 1));
  return Array.from({ length: last - first + 1 }, (_, month) =>
    new Date(Date.UTC(Math.floor((first + month) / 12), (first + month) % 12))
      .toISOString()
      .slice(0, 7)
      .replace('-', ''),
  );
}

const monthNumber = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();

async function listedMerchants(table: Table): Promise<readonly MerchantId[]> {
  const listed = await everythingOn(table, [balanceList]);
  return listed.map(({ PK }) => storedId<MerchantId>().parse(PK.slice('BAL#'.length)));
}

async function allMerchants({ client, name: TableName }: Table): Promise<readonly MerchantId[]> {
  const merchants: MerchantId[] = [];
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'SK = :merchant',
        ExpressionAttributeValues: { ':merchant': 'M' },
        ProjectionExpression: 'PK',
        ExclusiveStartKey,
      }),
    );
    for (const { PK } of page.Items ?? [])
      merchants.push(storedId<MerchantId>().parse(String(PK).slice('M#'.length)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return merchants;
}
