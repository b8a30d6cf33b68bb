import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import type { MerchantAccount } from '../ledger/entry.ts';
import { balanceCurrencies, sum } from '../money/money.ts';
import type { BalanceBooks, BalanceName } from '../operator/audit/balance-check.ts';
import type { Holdings, Posting } from '../operator/audit/bracket.ts';
import type { AuditScope } from '../operator/audit/source.ts';
import { unreadableCursor } from '../unreadable-cursor.ts';
import { closingOf } from '../seal/closing-of.ts';
import { balanceKey, balanceList } from './balance-item.ts';
import { batchGet } from './batch-get.ts';
import { entryPartition, timelineOf } from './entry-item.ts';
import { getItem } from './get-item.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { dynamoSeals } from './seals.ts';
import { storedId } from './stored-id.ts';
import { type Table, tableSchema } from './table.ts';

const listed = z.looseObject({ PK: z.string(), SK: z.string() });

/** What the audit reads of balances and their journals. */
export const dynamoBalanceBooks = (table: Table): BalanceBooks => ({
  names: (scope, after) => names(table, scope, after),
  async missing(given) {
    const keys = given.map(({ merchantId, currency }) => balanceKey(merchantId, currency));
    const found = new Set((await batchGet(table, keys)).flatMap(nameOf).map(textOf));
    return given.filter((name) => !found.has(textOf(name)));
  },
  balance: ({ merchantId, currency }) => balanceOf(table, { merchantId, currency }),
  closing: async (name) => closing(table, name),
  postings: (name, part) => postings(table, name, part),
});

/** Balances that are compared together: what the audit holds are the last minutes of their journals, and it stops between two pages. */
const namesPerPage = 32;
const nameInKey = z.tuple([storedId<MerchantId>(), z.enum(balanceCurrencies)]);

/** Yields the listed balances. A merchant's are three, so that one without an item is compared with its journal as well. */
async function* names(
  { client, name: TableName }: Table,
  { merchantId }: Pick<AuditScope, 'merchantId'>,
  after: string | undefined,
): ReturnType<BalanceBooks['names']> {
  if (merchantId !== undefined) {
    yield { names: balanceCurrencies.map((currency) => ({ merchantId, currency })), next: undefined };
    return;
  }
  let next = after;
  do {
    const query = new QueryCommand({
      TableName,
      IndexName: tableSchema.work.name,
      KeyConditionExpression: 'workList = :list',
      ExpressionAttributeValues: { ':list': balanceList },
      Limit: namesPerPage,
      ExclusiveStartKey: next === undefined ? undefined : keyIn(next),
    });
    const { Items = [], LastEvaluatedKey } = await client.send(query);
    next = LastEvaluatedKey && Buffer.from(JSON.stringify(LastEvaluatedKey)).toString('base64url');
    yield { names: Items.flatMap(nameOf), next };
  } while (next !== undefined);
}

const textOf = ({ merchantId, currency }: BalanceName): string => `${merchantId} ${currency}`;

/** Returns the name of a listed balance; nothing for an item with another key, which the records step reports. */
function nameOf(raw: unknown): readonly BalanceName[] {
  const { PK, SK } = listed.parse(raw);
  const { data } = nameInKey.safeParse([PK.split('#')[1], SK.split('#')[1]]);
  return data ? [{ merchantId: data[0], currency: data[1] }] : [];
}

const startKey = z.object({
  PK: z.string(),
  SK: z.string(),
  workList: z.literal(balanceList),
  workDue: z.string(),
});

function keyIn(cursor: string): z.infer<typeof startKey> {
  try {
    return startKey.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw unreadableCursor(error);
  }
}

const amount = z._default(minor, 0n);
const holdings = z.object({ available: amount, locked: amount, held: amount, reserved: amount });

async function balanceOf(table: Table, { merchantId, currency }: BalanceName): Promise<Holdings | undefined> {
  const none = { available: 0n, locked: 0n, held: 0n, reserved: 0n };
  const read = (raw: unknown) => holdings.safeParse(raw);
  const parsed = await getItem(table, balanceKey(merchantId, currency), read);
  return parsed ? parsed.data : none;
}

const line = z.object({ account: z.string(), currency: z.string(), minor });

/** The sums of a merchant's lines by account, in this currency. */
function holdingsIn(lines: readonly z.infer<typeof line>[], currency: string): Holdings {
  const on = (account: MerchantAccount) =>
    sum(
      lines
        .filter((each) => each.account === account && each.currency === currency)
        .map((each) => each.minor),
    );
  return { available: on('available'), locked: on('locked'), held: on('held'), reserved: on('reserved') };
}

async function closing(table: Table, name: BalanceName): ReturnType<BalanceBooks['closing']> {
  const sealed = await closingOf({ seals: dynamoSeals(table) }, name.merchantId, name.currency);
  return sealed && { to: sealed.to, sums: holdingsIn(sealed.sums, name.currency) };
}

/** What counts of an entry here. The rest is judged elsewhere, and must not hide what the entry moved. */
const counted = z.object({
  PK: z.string(),
  SK: z.string(),
  at: moment,
  merchantId: z.optional(z.string()),
  lines: z.array(line),
});

type Part = Parameters<BalanceBooks['postings']>[1];

/** No version of this service is older, so no entry is. */
const firstMonth = new Date('2026-01-01T00:00:00Z');

async function* postings(
  table: Table,
  name: BalanceName,
  { from = firstMonth, to, byKey }: Part,
): AsyncGenerator<readonly Posting[]> {
  for (const month of monthsOf(from, to)) {
    for await (const items of pagesOf(table, timelineOf(name.merchantId, name.currency, month), from)) {
      // The index key contains the merchant, so its items do not.
      const found = byKey
        ? await batchGet(
            table,
            items.map(({ PK, SK }) => ({ PK, SK })),
          )
        : items.map((item) => ({ ...item, merchantId: name.merchantId }));
      yield found.flatMap((raw) => postingIn(raw, name)).filter(({ at }) => at >= from);
    }
  }
}

/** Returns what an item moves on this balance; nothing when it cannot be read, which the audit tells by itself. */
function postingIn(raw: unknown, { merchantId, currency }: BalanceName): readonly Posting[] {
  const { data: entry } = counted.safeParse(raw);
  if (!entry || entry.merchantId !== merchantId) return [];
  return [{ id: `${entry.PK} ${entry.SK}`, at: entry.at, moved: holdingsIn(entry.lines, currency) }];
}

/** Reads the index from this time on. Items that operators may write could carry a timeline too, so only keys of entries count. */
async function* pagesOf({ client, name: TableName }: Table, timeline: string, from: Date) {
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const query = new QueryCommand({
      TableName,
      IndexName: tableSchema.timeline.name,
      KeyConditionExpression: 'timeline = :timeline AND #at >= :from',
      ExpressionAttributeNames: { '#at': tableSchema.timeline.sortKey },
      ExpressionAttributeValues: { ':timeline': timeline, ':from': from.toISOString() },
      ExclusiveStartKey,
    });
    const { Items = [], LastEvaluatedKey } = await client.send(query);
    yield Items.map((raw) => listed.parse(raw)).filter(({ PK }) => PK.startsWith(entryPartition('')));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** The months of UTC, by which entries are listed, from one time to another. */
function monthsOf(from: Date, to: Date): readonly string[] {
  const months: string[] = [];
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  for (let ahead = 0; Date.UTC(year, month + ahead) <= to.getTime(); ahead += 1)
    months.push(new Date(Date.UTC(year, month + ahead)).toISOString().slice(0, 7).replace('-', ''));
  return months;
}
