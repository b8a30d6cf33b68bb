import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Change, Changes } from '../merchant/change.ts';
import { batchGet } from './batch-get.ts';
import { getItem } from './get-item.ts';
import { moment } from './moment.ts';
import { type Table, tableSchema } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { updateAsRead } from './update-as-read.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

/**
 * What an operator changed: under who did it, which is what IAM compares the key with; the timeline lists what became of
 * one merchant, shop or the rates. Written in the transaction of the change itself, and never again.
 */
const partition = 'CHANGE#';
const changeKey = (by: string, at: Date, id: string) =>
  ({ PK: `${partition}${by}`, SK: `${at.toISOString()}#${id}` }) as const;
const timelineOf = (about: string) => `${partition}${about}` as const;

const texts = z.record(z.string(), z.nullable(z.string()));
const item = z.object({
  PK: z.string(),
  at: moment,
  about: z.string(),
  what: z.string(),
  before: texts,
  after: texts,
});

/** Who made it is what the key says: all else in the item is its writer's to choose. */
function toChange(raw: unknown): Change {
  const { PK, ...change } = item.parse(raw);
  return { by: PK.slice(partition.length), ...change };
}

/** More than these do not fit a screen. */
const latest = 30;

export const dynamoChanges = (table: Table): Changes => ({
  async of(about) {
    const query = new QueryCommand({
      TableName: table.name,
      IndexName: tableSchema.timeline.name,
      KeyConditionExpression: 'timeline = :about',
      ExpressionAttributeValues: { ':about': timelineOf(about) },
      ScanIndexForward: false,
      Limit: latest,
    });
    const { Items = [] } = await table.client.send(query);
    const keys = z.array(z.looseObject({ PK: z.string(), SK: z.string() })).parse(Items);
    // Other items that operators write could name this timeline, too.
    const ofChanges = keys.filter(({ PK }) => PK.startsWith(partition));
    const found = (await batchGet(table, ofChanges)).map(toChange);
    return found.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  },
});

type Fields = Readonly<Record<string, unknown>>;

/** What is kept of a changed item, beside amounts: settings. Tokens, secrets and account numbers, sealed or hashed, are none. */
const shownFields = new Set([
  'name',
  'enabled',
  'banned',
  'verified',
  'regularPayouts',
  'subscription',
  'tokenVersion',
  'payoutWebhookUrl',
  'settlesKztIn',
  'webhookSecretRotations',
  'defaultCurrency',
  'resultUrl',
  'successUrl',
  'failUrl',
  'postbackFormat',
  'billLifetimeMinutes',
  'paymentFee',
  'payoutFee',
  'commissionPayer',
  'numerator',
  'denominator',
  'accountId',
  'weekday',
  'hour',
  'type',
  'currency',
  'mask',
  'available',
  'paused',
  'known',
]);
const isShown = (name: string): boolean => shownFields.has(name) || name.endsWith('Minor');

/**
 * The step that records a change of `about`, in the transaction that makes it; none for writers that are no people.
 * Fields that stay as they were are left out.
 */
export async function changeSteps(
  table: Table,
  about: string,
  before: Fields,
  after: Fields,
): Promise<TransactionStep[]> {
  const author = await table.author?.();
  if (!author) return [];
  const { by, at, id, what } = author;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => isShown(name) && shown(before[name]) !== shown(after[name]),
  );
  const of = (fields: Fields) => Object.fromEntries(names.map((name) => [name, shown(fields[name])]));
  const Item = {
    ...changeKey(by, at, id),
    by,
    at: at.toISOString(),
    about,
    what,
    before: of(before),
    after: of(after),
    timeline: timelineOf(about),
  };
  const put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(PK)' };
  return [{ write: { Put: put } }];
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

type Changed = {
  readonly key: { readonly PK: string; readonly SK: string };
  readonly about: string;
  /** A change to `undefined` takes the attribute away. */
  readonly changes: Fields;
  readonly mustExist: boolean;
};

/**
 * Changes attributes of one item and records it, what they were before included: that is a condition of the write.
 * Answers the item as it is then; undefined when it must exist and does not.
 */
export async function changeItem(
  table: Table,
  { key, about, changes, mustExist }: Changed,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const attempt = async (): Promise<Fields | undefined | typeof conflict> => {
    const found = await getItem(table, key, (raw) => z.record(z.string(), z.unknown()).parse(raw));
    if (!found && mustExist) return undefined;
    const before = found ?? {};
    const after = { ...before, ...changes };
    const seen = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name]]));
    const record = await changeSteps(table, about, before, after);
    const written = await transact<'moved_meanwhile'>(table, [
      updateAsRead(table, key, seen, changes, 'moved_meanwhile'),
      ...record,
    ]);
    if (!written.ok) return conflict;
    return (await getItem(table, key, (raw) => z.record(z.string(), z.unknown()).parse(raw))) ?? after;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The item') });
}
