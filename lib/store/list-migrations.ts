import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type BillId, type MerchantId, type PaymentId, paymentIdOfRefund, type RefundId } from '../ids.ts';
import { inParallel } from '../reconciliation/in-parallel.ts';
import type { ListMigrations, Migration } from '../search/migrate-lists.ts';
import { type ListedKind, listedKinds } from '../search/ports.ts';
import { unreadableCursor } from '../unreadable-cursor.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { billOfOrderItem } from './bill-item.ts';
import { conditionalWrite } from './conditional-write.ts';
import { eventIdOf } from './event-item.ts';
import { getItem } from './get-item.ts';
import { migrationKey } from './list-history.ts';
import { listed, listedMerchant, listShardOfPayment } from './list-index.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import { type Table, tableSchema } from './table.ts';

/** A page of the scan: about 1 MB. */
const mostPerPage = 1_000;
const writesAtOnce = 16;

const migration = z.object({
  startedAt: moment,
  endedAt: orAbsent(moment),
  cursor: orAbsent(z.string()),
  read: z.number(),
  given: z.partialRecord(z.enum(listedKinds), z.number()),
} satisfies Record<AttributeOf<Migration>, z.ZodMiniType>);

/** The migration of older items, and where it is. */
export const dynamoListMigrations = (table: Table, perPage = mostPerPage): ListMigrations => ({
  find: () => getItem(table, migrationKey, (raw) => migration.parse(raw)),
  async store({ startedAt, endedAt, ...rest }) {
    const times = { startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() };
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...migrationKey, ...rest, ...times } }),
    );
  },
  async migratePage(cursor) {
    const page = await scanPage(table, cursor, perPage);
    const given: Partial<Record<ListedKind, number>> = {};
    await inParallel(page.items, writesAtOnce, async (raw) => {
      const kind = await giveKeys(table, raw);
      if (kind) given[kind] = (given[kind] ?? 0) + 1;
    });
    return { cursor: page.cursor, read: page.read, given };
  },
});

const position = z.object({ PK: z.string(), SK: z.string() });

function positionIn(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw unreadableCursor(error);
  }
}

/** Reads the items of one page of the table that have no keys of LIST. */
async function scanPage({ client, name: TableName }: Table, cursor: string | undefined, Limit: number) {
  const { partitionKey } = tableSchema.list;
  const page = await client.send(
    new ScanCommand({
      TableName,
      Limit,
      ExclusiveStartKey: cursor === undefined ? undefined : positionIn(cursor),
      FilterExpression: 'attribute_not_exists(#list)',
      ProjectionExpression: 'PK, SK, id, merchantId, createdAt, orderId',
      ExpressionAttributeNames: { '#list': partitionKey },
    }),
  );
  const { Items = [], ScannedCount = 0, LastEvaluatedKey } = page;
  const next = LastEvaluatedKey && Buffer.from(JSON.stringify(LastEvaluatedKey)).toString('base64url');
  return { items: Items, read: ScannedCount, cursor: next };
}

const created = { PK: z.string(), SK: z.string(), createdAt: moment };
const owned = { ...created, id: z.string(), merchantId: storedId<MerchantId>() };
const billSchema = z.object({ ...owned, id: storedId<BillId>(), orderId: orAbsent(z.string()) });
const paymentSchema = z.object({ ...owned, id: storedId<PaymentId>() });
const refundSchema = z.object({ ...owned, id: storedId<RefundId>() });
const ownedSchema = z.object(owned);
const eventSchema = z.object({ ...created, merchantId: storedId<MerchantId>() });
const merchantSchema = z.object({ ...created, id: z.string() });

/** Which kind an item is, by its key. */
const kindsByKey: readonly (readonly [key: RegExp, kind: ListedKind])[] = [
  [/^B#\S+ B$/, 'bill'],
  [/^B#\S+ P#/, 'payment'],
  [/^B#\S+ R#/, 'refund'],
  [/^G#\S+ PO#/, 'payout'],
  [/^E#\S+ E$/, 'event'],
  [/^M#\S+ M$/, 'merchant'],
];

function keysFor(kind: ListedKind, raw: unknown): { readonly list: string; readonly listAt: string } {
  switch (kind) {
    case 'bill':
      return listed('bill', billSchema.parse(raw));
    case 'payment': {
      const payment = paymentSchema.parse(raw);
      return listed('payment', payment, listShardOfPayment(payment.id));
    }
    case 'refund': {
      const refund = refundSchema.parse(raw);
      return listed('refund', refund, listShardOfPayment(paymentIdOfRefund(refund.id)));
    }
    case 'payout':
      return listed('payout', ownedSchema.parse(raw));
    case 'event': {
      const event = eventSchema.parse(raw);
      return listed('event', { ...event, id: eventIdOf(event) });
    }
    case 'merchant':
      return listedMerchant(merchantSchema.parse(raw));
  }
}

/** Gives an item its keys, if it is of a kind that is listed and still has none. Returns its kind when it was written. */
async function giveKeys({ client, name: TableName }: Table, raw: unknown): Promise<ListedKind | undefined> {
  const { PK, SK } = position.parse(raw);
  const [, kind] = kindsByKey.find(([key]) => key.test(`${PK} ${SK}`)) ?? [];
  if (kind === undefined) return undefined;
  const { list, listAt } = keysFor(kind, raw);
  // First the bill's place under its order: a bill that has keys has it.
  if (kind === 'bill') await putUnderOrder({ client, name: TableName }, billSchema.parse(raw));
  const written = await conditionalWrite(
    client.send(
      new UpdateCommand({
        TableName,
        Key: { PK, SK },
        UpdateExpression: 'SET #list = :list, #at = :at',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(#list)',
        ExpressionAttributeNames: { '#list': tableSchema.list.partitionKey, '#at': tableSchema.list.sortKey },
        ExpressionAttributeValues: { ':list': list, ':at': listAt },
      }),
    ),
  );
  return written && kind;
}

async function putUnderOrder(
  { client, name: TableName }: Pick<Table, 'client' | 'name'>,
  { orderId, ...bill }: z.infer<typeof billSchema>,
): Promise<void> {
  if (orderId === undefined) return;
  await conditionalWrite(
    client.send(
      new PutCommand({
        TableName,
        Item: billOfOrderItem({ ...bill, orderId }),
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    ),
  );
}
