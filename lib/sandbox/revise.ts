import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { toMovementItem, type Movement } from './books.ts';
import type { Table } from './table.ts';

/** The key of an item and how it is parsed. */
export type Slot<T> = {
  readonly key: { readonly PK: string; readonly SK: string };
  readonly parse: (raw: unknown) => T;
};

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** `creates`: further items, written with this one. */
type Revision<T> = {
  readonly to: T;
  readonly movement?: Movement;
  readonly creates?: readonly Readonly<Record<string, unknown>>[];
};
type Deps = {
  readonly table: Table;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly delay: (ms: number) => Promise<void>;
};

/** The item after the step; `step` only when this call took it. */
export type Revised<T, S> = { readonly is: T | undefined; readonly step?: S };

const version = z.object({ version: z.number() });
const tries = 40;

/** The stored item and its version. */
async function look<T>({ client, name }: Table, slot: Slot<T>) {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: slot.key, ConsistentRead: true }),
  );
  return Item && { is: slot.parse(Item), version: version.parse(Item).version };
}

export const read = async <T>(table: Table, slot: Slot<T>): Promise<T | undefined> =>
  (await look(table, slot))?.is;

/**
 * Reads, lets `decide` choose the next step, and writes it with its movement on condition that the version is unchanged;
 * otherwise reads and decides again. So each step is taken by one of many callers.
 */
export async function revise<T extends object, S extends Revision<T>>(
  deps: Deps,
  slot: Slot<T>,
  decide: (is: T | undefined) => S | undefined,
): Promise<Revised<T, S>> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const seen = await look(deps.table, slot);
    const step = decide(seen?.is);
    if (!step) return { is: seen?.is };
    if (await write(deps, slot, seen?.version, step)) return { is: step.to, step };
    await deps.delay(pauseMs(deps, attempt));
  }
  throw new Defect('SANDBOX_ITEM_CONTENDED', 'the sandbox met too many writers of one item');
}

/** Full jitter: random between zero and a bound that doubles, so that writers that collided do not collide again. */
const pauseMs = ({ random }: Pick<Deps, 'random'>, attempt: number): number =>
  ((random(1)[0] ?? 0) / 256) * Math.min(200, 10 * 2 ** attempt);

async function write<T extends object>(
  { table, now }: Deps,
  slot: Slot<T>,
  seen: number | undefined,
  { to, movement, creates = [] }: Revision<T>,
): Promise<boolean> {
  const writes: Write[] = [
    { Put: { TableName: table.name, Item: itemOf(slot, to, (seen ?? 0) + 1), ...unchangedSince(seen) } },
  ];
  if (movement) writes.push(once(table, toMovementItem(movement, now())));
  writes.push(...creates.map((item) => once(table, item)));
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
}

const itemOf = <T extends object>({ key }: Slot<T>, to: T, next: number): Record<string, unknown> => ({
  ...key,
  ...fieldsOf(to),
  version: next,
});

/** An object as it is stored: dates as text, and nothing that is undefined. */
const fieldsOf = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]: [string, unknown]) => [name, stored(field)]),
  );

function stored(field: unknown): unknown {
  if (field instanceof Date) return field.toISOString();
  if (Array.isArray(field)) return field.map(stored);
  return typeof field === 'object' && field !== null ? fieldsOf(field) : field;
}

const unchangedSince = (seen: number | undefined) =>
  seen === undefined
    ? { ConditionExpression: 'attribute_not_exists(PK)' }
    : { ConditionExpression: 'version = :seen', ExpressionAttributeValues: { ':seen': seen } };

const once = ({ name }: Table, item: Record<string, unknown>): Write => ({
  Put: { TableName: name, Item: fieldsOf(item), ConditionExpression: 'attribute_not_exists(PK)' },
});

const overtaken = [
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'None',
];

/** Another writer was first or is still writing, or the table throttles: nothing was written. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).every(({ Code }) => overtaken.includes(Code ?? 'None'));
