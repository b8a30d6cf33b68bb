import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditResult, AuditRun, AuditRuns } from '../operator/audit/run.ts';
import type { Difference } from '../operator/audit/records.ts';
import { inBatches } from '../reconciliation/in-parallel.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';

/** The run under way or ended last, the last that ended, and by run its differences, which expire. */
const currentKey = { PK: 'AUDIT#RUN', SK: 'CURRENT' } as const;
const endedKey = { PK: 'AUDIT#RUN', SK: 'ENDED' } as const;
const partition = ({ startedAt }: Pick<AuditRun, 'startedAt'>) => `AUDIT#${startedAt.toISOString()}` as const;
const retentionMs = 90 * 24 * 3600_000;

const differencesPerItem = 100;
/** The most of one part that are stored, as one transaction; all are counted. */
const mostOfPart = 5_000;
/** The reason why an item cannot be read may be long. */
const longestText = 500;

const run = z.object({
  startedAt: moment,
  next: orAbsent(z.string()),
  endedAt: orAbsent(moment),
  parts: z.number(),
  counts: z.record(z.string(), z.number()),
  differenceCount: z.number(),
  leasedUntil: orAbsent(moment),
} satisfies Record<AttributeOf<AuditRun>, z.ZodMiniType>);

const part = z.object({
  differences: z.array(
    z.object({
      // As text: another version may know other invariants.
      invariant: z.string(),
      about: z.string(),
      text: z.string(),
    } satisfies Record<keyof Difference, z.ZodMiniType>),
  ),
});

/** The scheduled audits: where the newest stands, and what the last two found. */
export const dynamoAuditRuns = (table: Table): AuditRuns => ({
  current: () => find(table, currentKey),
  ended: () => find(table, endedKey),
  async results() {
    const [current, ended] = await Promise.all([find(table, currentKey), find(table, endedKey)]);
    const runs = [current, ended].flatMap((each) => each ?? []);
    const different = runs.filter(
      ({ startedAt }, at) => at === 0 || startedAt.getTime() !== current?.startedAt.getTime(),
    );
    return Promise.all(
      different.map(async (each) => ({ ...each, differences: await differencesOf(table, each) })),
    );
  },
  async store(before, after, differences) {
    return (await transact<'changed'>(table, stepsOf(table, before, after, differences))).ok;
  },
});

async function find(
  { client, name: TableName }: Table,
  Key: typeof currentKey | typeof endedKey,
): Promise<AuditRun | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item && run.parse(Item);
}

async function differencesOf(table: Table, of: AuditRun): Promise<AuditResult['differences']> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'PK = :run',
    ExpressionAttributeValues: { ':run': partition(of) },
    ConsistentRead: true,
  });
  return items.flatMap((item) => part.parse(item).differences);
}

const storedRun = ({ startedAt, endedAt, leasedUntil, ...rest }: AuditRun): z.input<typeof run> => ({
  ...rest,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString(),
  leasedUntil: leasedUntil?.toISOString(),
});

function stepsOf(
  { name: TableName }: Table,
  before: AuditRun | undefined,
  after: AuditRun,
  differences: readonly Difference[],
): TransactionStep<'changed'>[] {
  const Item = storedRun(after);
  const ttl = Math.floor((after.startedAt.getTime() + retentionMs) / 1000);
  const batches = inBatches(differences.slice(0, mostOfPart), differencesPerItem);
  return [
    {
      write: { Put: { TableName, Item: { ...currentKey, ...Item }, ...unchangedSince(before) } },
      onConditionFailed: 'changed',
    },
    ...(after.endedAt ? [{ write: { Put: { TableName, Item: { ...endedKey, ...Item } } } }] : []),
    ...batches.map((batch, at) => ({
      write: {
        Put: {
          TableName,
          Item: {
            PK: partition(after),
            SK: `D#${String(after.parts).padStart(6, '0')}#${String(at).padStart(2, '0')}`,
            differences: batch.map(({ text, ...each }) => ({ ...each, text: text.slice(0, longestText) })),
            ttl,
          },
        },
      },
    })),
  ];
}

/** The lease changes with every part that begins, so it identifies what was read. */
function unchangedSince(before: AuditRun | undefined) {
  if (!before) return { ConditionExpression: 'attribute_not_exists(PK)' };
  const { startedAt, leasedUntil, parts } = storedRun(before);
  return {
    ConditionExpression: `startedAt = :started AND parts = :parts AND ${leasedUntil === undefined ? 'attribute_not_exists(leasedUntil)' : 'leasedUntil = :leased'}`,
    ExpressionAttributeValues: {
      ':started': startedAt,
      ':parts': parts,
      ...(leasedUntil !== undefined && { ':leased': leasedUntil }),
    },
  };
}
