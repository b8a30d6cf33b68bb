import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import {
  type Compared,
  type Counts,
  type Difference,
  differenceKinds,
  differenceReasons,
  differenceSubjects,
  incompleteReasons,
  providerRoles,
  type Reconciliation,
  type Reconciliations,
  type Side,
  type Summary,
} from '../reconciliation/reconciliation.ts';
import { type DayAccount } from '../reconciliation/accounts.ts';
import { totalKinds, type Totals } from '../reconciliation/compare.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { batchGet } from './batch-get.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';

/**
 * A day's result: a summary, and parts with its differences. A later run replaces both in one transaction; parts of an earlier run
 * that had more of them are not read.
 */
const partition = (date: string) => `REC#${date}`;
const summaryKey = (date: string) => ({ PK: partition(date), SK: 'REC' });
const partKey = (date: string, part: number) => ({
  PK: partition(date),
  SK: `D#${String(part).padStart(2, '0')}`,
});
const differencesPerPart = 100;

const side = z.object({
  state: orAbsent(z.string()),
  amountMinor: orAbsent(minor),
  currency: orAbsent(z.string()),
  at: orAbsent(moment),
} satisfies Record<keyof Side, z.ZodMiniType>);
const difference = z.object({
  kind: z.enum(differenceKinds),
  about: z.enum(differenceSubjects),
  why: orAbsent(z.enum(differenceReasons)),
  provider: orAbsent(z.string()),
  subject: orAbsent(z.string()),
  reference: orAbsent(z.string()),
  there: orAbsent(side),
  here: orAbsent(side),
  decidedBy: orAbsent(z.string()),
} satisfies Record<keyof Difference, z.ZodMiniType>);

const total = z.object({ count: z.number(), minor });
const account = z.object({
  role: z.enum(providerRoles),
  provider: orAbsent(z.string()),
  currency: z.string(),
  stated: z.object({
    payments: minor,
    refunds: minor,
    fees: minor,
    payouts: minor,
  } satisfies Record<keyof DayAccount['stated'], z.ZodMiniType>),
  journalMinor: minor,
  gaps: z.object({
    onAnotherDay: minor,
    explained: minor,
    differing: minor,
    feesDue: minor,
    undecided: minor,
  } satisfies Record<keyof DayAccount['gaps'], z.ZodMiniType>),
} satisfies Record<keyof DayAccount, z.ZodMiniType>);
const summary = z.object({
  date: z.string(),
  timeZone: z.string(),
  from: moment,
  to: moment,
  isOver: z.boolean(),
  startedAt: moment,
  endedAt: moment,
  compared: z.array(
    z.object({
      provider: z.string(),
      role: z.enum(providerRoles),
      incomplete: orAbsent(z.enum(incompleteReasons)),
    } satisfies Record<keyof Compared, z.ZodMiniType>),
  ),
  totals: z.array(
    z.object({
      kind: z.enum(totalKinds),
      currency: z.string(),
      there: total,
      here: total,
    } satisfies Record<keyof Totals, z.ZodMiniType>),
  ),
  accounts: orAbsent(z.array(account)),
  counts: z.object({
    matched: z.number(),
    onAnotherDay: z.number(),
    explained: z.number(),
    foreign: z.number(),
    feesDue: z.number(),
    postbacks: z.number(),
  } satisfies Record<keyof Counts, z.ZodMiniType>),
  moreDifferences: z.number(),
  differenceCount: z.number(),
} satisfies Record<AttributeOf<Stored>, z.ZodMiniType>);
type Stored = Omit<Summary, 'day'> & Summary['day'];

const part = z.object({ startedAt: z.string(), differences: z.array(difference) });

/** The results of the reconciliation, one for each day. */
export const dynamoReconciliations = (table: Table): Reconciliations => ({
  find: (date) => find(table, date),
  async list(dates) {
    const found = (await batchGet(table, dates.map(summaryKey))).map(toSummary);
    return found.toSorted((one, other) => (one.day.date < other.day.date ? 1 : -1));
  },
  store: (reconciliation) => transact<'newer_result'>(table, stepsOf(table, reconciliation)),
});

function toSummary(raw: unknown): Summary {
  const { date, timeZone, from, to, ...rest } = summary.parse(raw);
  return { day: { date, timeZone, from, to }, ...rest };
}

/** A run that replaces the result while it is read shows as parts of another start: then it is read again. */
async function find(table: Table, date: string): Promise<Reconciliation | undefined> {
  for (let reads = 0; reads < 3; reads += 1) {
    const items = await partitionOf(table, date);
    const [first] = items.filter(({ SK }) => SK === summaryKey(date).SK);
    if (!first) return undefined;
    const { differenceCount, ...found } = toSummary(first);
    const startedAt = found.startedAt.toISOString();
    const differences = items
      .filter(({ SK }) => SK !== summaryKey(date).SK)
      .map((item) => part.parse(item))
      .filter((each) => each.startedAt === startedAt)
      .flatMap((each) => each.differences);
    if (differences.length === differenceCount) return { ...found, differences };
  }
  throw new Defect('RECONCILIATION_CHANGES', 'The result of a day was replaced while it was read');
}

const item = z.looseObject({ SK: z.string() });

async function partitionOf({ client, name: TableName }: Table, date: string) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :day',
      ExpressionAttributeValues: { ':day': partition(date) },
      ConsistentRead: true,
    }),
  );
  return Items.map((each) => item.parse(each));
}

function stepsOf(
  { name: TableName }: Table,
  reconciliation: Reconciliation,
): TransactionStep<'newer_result'>[] {
  const { day, differences, startedAt, endedAt, ...rest } = reconciliation;
  const { date, timeZone, from, to } = day;
  const started = startedAt.toISOString();
  const parts = Array.from({ length: Math.ceil(differences.length / differencesPerPart) }, (_, at) =>
    differences.slice(at * differencesPerPart, (at + 1) * differencesPerPart),
  );
  const Item: z.input<typeof summary> & ReturnType<typeof summaryKey> = {
    ...summaryKey(date),
    date,
    timeZone,
    from: from.toISOString(),
    to: to.toISOString(),
    startedAt: started,
    endedAt: endedAt.toISOString(),
    ...rest,
    compared: [...rest.compared],
    totals: [...rest.totals],
    accounts: rest.accounts && [...rest.accounts],
    differenceCount: differences.length,
  };
  return [
    {
      write: {
        Put: {
          TableName,
          Item,
          ConditionExpression: 'attribute_not_exists(PK) OR startedAt <= :started',
          ExpressionAttributeValues: { ':started': started },
        },
      },
      onConditionFailed: 'newer_result',
    },
    ...parts.map((each, at) => ({
      write: {
        Put: {
          TableName,
          Item: {
            ...partKey(date, at),
            startedAt: started,
            differences: each.map(({ there, here, ...said }) => ({
              ...said,
              there: there && storedSide(there),
              here: here && storedSide(here),
            })),
          },
        },
      },
    })),
  ];
}

const storedSide = ({ at, ...known }: Side): z.input<typeof side> => ({ ...known, at: at?.toISOString() });
