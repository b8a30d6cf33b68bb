import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type AuditItem,
  type AuditPage,
  type AuditScope,
  type AuditSource,
} from '../operator/audit/source.ts';
import { auditItem, keyOf } from './audit-items.ts';
import { type Loaded, loadRecords, nothingLoaded } from './audit-load.ts';
import { dynamoListMigrations } from './list-migrations.ts';
import { batchGet } from './batch-get.ts';
import { unreadableCursor } from '../unreadable-cursor.ts';
import type { Table } from './table.ts';

/** Reads the table for the audit: a scan of several segments at a time, and what its records depend on. */
export const dynamoAuditRecords = (table: Table): AuditSource => ({
  pages: (scope, after) => pages(table, scope, after),
  async again(keys) {
    const isMigrated = await hasMigrated(table);
    return (await batchGet(table, keys.map(keyOf))).map((item) => auditItem(item, { isMigrated }));
  },
  load: (refs) => loadRecords(table, refs, { loaded: nothingLoaded, ConsistentRead: true }),
});

/** Whether every item has its keys of the LIST index. */
const hasMigrated = async (table: Table): Promise<boolean> =>
  (await dynamoListMigrations(table).find())?.endedAt !== undefined;

/** The number of segments: each has one page in memory and one on its way. */
const segments = 4;

/** Where the scan of a segment continues: at its beginning, after a key, or nowhere, because it is done. */
const position = z.union([
  z.literal('begin'),
  z.literal('done'),
  z.object({ PK: z.string(), SK: z.string() }),
]);
type Position = z.infer<typeof position>;

const cursorText = (positions: readonly Position[]): string =>
  Buffer.from(JSON.stringify(positions)).toString('base64url');

function positionsIn(after: string | undefined): readonly Position[] {
  if (after === undefined) return Array.from({ length: segments }, () => 'begin' as const);
  try {
    return z
      .array(position)
      .check(z.minLength(1))
      .parse(JSON.parse(Buffer.from(after, 'base64url').toString()));
  } catch (error) {
    throw unreadableCursor(error);
  }
}

/** Yields a page of each segment in turn, while the next ones are being read. The last page has no cursor. */
async function* pages(table: Table, scope: AuditScope, after: string | undefined): AsyncGenerator<AuditPage> {
  const positions = [...positionsIn(after)];
  const isMigrated = await hasMigrated(table);
  const read = (Segment: number, from: Position) =>
    from === 'done' ? undefined : ahead(scanOnce(table, scope, { Segment, from, of: positions.length }));
  const coming = positions.map((from, segment) => read(segment, from));
  while (coming.some((page) => page !== undefined)) {
    for (const [segment, page] of coming.entries()) {
      if (!page) continue;
      const { items, next } = await page;
      positions[segment] = next;
      coming[segment] = read(segment, next);
      const isLast = positions.every((each) => each === 'done');
      yield pageOf(table, items, {
        isMigrated,
        isWhole: scope.merchantId === undefined && scope.since === undefined,
        endsSegment: next === 'done',
        next: isLast ? undefined : cursorText(positions),
      });
    }
  }
}

/** A page that is read ahead: when the audit ends before it is used, its failure concerns nobody. */
function ahead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => undefined);
  return page;
}

type Part = { readonly Segment: number; readonly from: Exclude<Position, 'done'>; readonly of: number };
const raw = z.looseObject({ PK: z.string(), SK: z.string() });
type Raw = z.infer<typeof raw>;

async function scanOnce({ client, name: TableName }: Table, scope: AuditScope, { Segment, from, of }: Part) {
  const scan: ScanCommandInput = {
    TableName,
    Segment,
    TotalSegments: of,
    ExclusiveStartKey: from === 'begin' ? undefined : from,
    ...selecting(scope),
  };
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand(scan));
  const next: Position = LastEvaluatedKey ? raw.parse(LastEvaluatedKey) : 'done';
  return { items: Items.map((item) => raw.parse(item)), next };
}

function selecting({ merchantId, since }: AuditScope) {
  const parts = [
    ...(merchantId === undefined
      ? []
      : ['(merchantId = :merchant OR PK = :account OR begins_with(PK, :balance))']),
    ...(since === undefined ? [] : ['NOT (createdAt < :since OR #at < :since OR proposedAt < :since)']),
  ];
  if (parts.length === 0) return {};
  return {
    FilterExpression: parts.join(' AND '),
    ...(since !== undefined && { ExpressionAttributeNames: { '#at': 'at' } }),
    ExpressionAttributeValues: {
      ...(merchantId !== undefined && {
        ':merchant': merchantId,
        ':account': `M#${merchantId}`,
        ':balance': `BAL#${merchantId}`,
      }),
      ...(since !== undefined && { ':since': since.toISOString() }),
    },
  };
}

type How = {
  readonly isMigrated: boolean;
  readonly isWhole: boolean;
  readonly endsSegment: boolean;
  readonly next: string | undefined;
};

function pageOf(
  table: Table,
  rawItems: readonly Raw[],
  { isMigrated, isWhole, endsSegment, next }: How,
): AuditPage {
  const items = rawItems.map((item) => [item.PK, auditItem(item, { isMigrated })] as const);
  const loaded: Loaded = {
    items: new Map(items.map(([, item]) => [item.key, item])),
    partitions: isWhole ? wholePartitions(items, endsSegment) : new Map(),
  };
  return {
    items: items.map(([, item]) => item),
    load: (refs) => loadRecords(table, refs, { loaded, ConsistentRead: false }),
    next,
  };
}

/**
 * Returns the partitions that are whole in a page: a scan returns a partition's items together, so all but the first, which may
 * have begun before, and the last, which may go on.
 */
function wholePartitions(
  items: readonly (readonly [string, AuditItem])[],
  endsSegment: boolean,
): ReadonlyMap<string, readonly AuditItem[]> {
  const partitions = new Map<string, AuditItem[]>();
  for (const [PK, item] of items) {
    const partition = partitions.get(PK);
    if (partition) partition.push(item);
    else partitions.set(PK, [item]);
  }
  const [first] = items;
  const last = items.at(-1);
  if (first) partitions.delete(first[0]);
  if (last && !endsSegment) partitions.delete(last[0]);
  return partitions;
}
