import * as z from 'zod/mini';
import type { Change, Changes } from '../merchant/change.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Shop } from '../merchant/shop.ts';
import type { TermsOverrides } from '../merchant/terms.ts';
import type { Rate } from '../money/exchange.ts';
import type { PayoutAccount } from '../payout/account.ts';
import type { AutoPayout } from '../payout/auto-payout.ts';
import { batchGet } from './batch-get.ts';
import { getItem } from './get-item.ts';
import { latestOfTimeline } from './latest-of.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { updateAsRead } from './update-as-read.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

/**
 * A change of a setting. Its partition is the identity of who made it, which IAM compares with the caller's; the timeline
 * index lists the changes of one merchant, shop or the rates. Written once, in the transaction of the change itself.
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

/** The author comes from the key, which IAM checks; the writer could choose every other attribute. */
function toChange(raw: unknown): Change {
  const { PK, ...change } = item.parse(raw);
  return { by: PK.slice(partition.length), ...change };
}

export const dynamoChanges = (table: Table): Changes => ({
  async of(about, query) {
    const { items, completeFrom } = await latestOfTimeline(table, timelineOf(about), query);
    // Other items that operators may write could carry this timeline attribute too.
    const ofChanges = items.filter(({ PK }) => PK.startsWith(partition));
    const found = (await batchGet(table, ofChanges)).map(toChange);
    return { items: found.toSorted((one, other) => one.at.getTime() - other.at.getTime()), completeFrom };
  },
});

type Fields = Readonly<Record<string, unknown>>;

type KeysOf<T> = T extends unknown ? keyof T : never;
/** Every attribute of what an operator changes. */
type Changeable =
  | KeysOf<Merchant | Shop | TermsOverrides | Rate | PayoutAccount | AutoPayout>
  | 'webhookSecretRotations'
  | 'paused'
  | 'refundUrlPaused'
  | 'known';

/**
 * Whether a change of the field is recorded: settings are, and so is every amount. Tokens, secrets and account numbers are not,
 * even sealed or hashed. A new setting that is missing here does not compile.
 */
const isRecorded: Readonly<Record<Exclude<Changeable, `${string}Minor`>, boolean>> = {
  name: true,
  enabled: true,
  banned: true,
  verified: true,
  regularPayouts: true,
  subscription: true,
  apiAddresses: true,
  shards: true,
  tokenVersion: true,
  payoutWebhookUrl: true,
  settlesKztIn: true,
  webhookSecretRotations: true,
  defaultCurrency: true,
  resultUrl: true,
  successUrl: true,
  failUrl: true,
  hosts: true,
  refundUrl: true,
  postbackFormat: true,
  extendedPostbacks: true,
  billLifetimeMinutes: true,
  paymentFee: true,
  refundFee: true,
  payoutFee: true,
  reserveBasisPoints: true,
  reserveDays: true,
  commissionPayer: true,
  numerator: true,
  denominator: true,
  accountId: true,
  weekday: true,
  hour: true,
  type: true,
  currency: true,
  mask: true,
  available: true,
  paused: true,
  refundUrlPaused: true,
  known: true,

  tokenHash: false,
  sealedToken: false,
  webhookSecrets: false,
  destination: false,
  numberHash: false,

  // In the record's key or its `about`, or made from the time of the change.
  id: false,
  merchantId: false,
  from: false,
  to: false,
  createdAt: false,
  setAt: false,
  payoutWebhookSince: false,
  resultUrlSince: false,
  refundUrlSince: false,
  nextAt: false,
  lastRun: false,
};
const recorded = new Map(Object.entries(isRecorded));
const isShown = (name: string): boolean => recorded.get(name) ?? name.endsWith('Minor');

/**
 * Returns the step that records a change of `about`, for the transaction that makes it. No step when the writer is not a
 * person. Unchanged fields are omitted.
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
  /** `undefined` removes the attribute. */
  readonly changes: Fields;
  readonly mustExist: boolean;
};

/**
 * Changes attributes of one item and records the change with the values before and after. The write requires the values
 * before. Returns the changed item; undefined when the item must exist and does not.
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
