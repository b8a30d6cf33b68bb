import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Checkpoint } from '../seal/checkpoint.ts';
import type { Seals, StoredCheckpoint, StoredSeal } from '../seal/ports.ts';
import type { SealWithLines } from '../seal/seal.ts';
import { batchGet } from './batch-get.ts';
import { getItem } from './get-item.ts';
import { queryAll } from './query-all.ts';
import {
  chainPartition,
  checkpointPartition,
  headsKey,
  linesKey,
  readCheckpoint,
  readHeads,
  readSeal,
  sealKey,
  toCheckpointItem,
  toSealItem,
} from './seal-item.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** Lines of a day that fit into an item: each has about 110 bytes. */
const mostLines = 2000;

/** The seals and checkpoints. */
export const dynamoSeals = (table: Table): Seals => ({
  async lastOf(chain) {
    const item = await lastOf(table, chainPartition(chain), 'D#');
    return item && toStored(item);
  },
  async allOf(chain) {
    const items = await allOf(table, chainPartition(chain), 'D#');
    return items.map(toStored);
  },
  named: async (heads) => (await batchGet(table, heads.map(sealKey))).flatMap((item) => readSeal(item) ?? []),
  linesOf: (seal) => getItem(table, linesKey(seal), (raw) => stored.safeParse(raw).data?.lines.split('\n')),
  write: (sealed) => write(table, sealed),

  async lastCheckpoint() {
    const item = await lastOf(table, checkpointPartition, 'C#');
    return item && toStoredCheckpoint(item);
  },
  checkpoints: async () => (await allOf(table, checkpointPartition, 'C#')).map(toStoredCheckpoint),
  headsOf: async ({ date }, part) => (await getItem(table, headsKey(date, part), readHeads)) ?? [],
  async writeHeads({ date }, part, heads) {
    const Item = {
      ...headsKey(date, part),
      heads: heads.map(({ merchantId, currency, date: sealed, hash }) => ({
        merchantId,
        currency,
        date: sealed,
        hash,
      })),
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  },
  writeCheckpoint: (checkpoint) => writeCheckpoint(table, checkpoint),
});

const dated = z.looseObject({ SK: z.string() });
const toStored = (item: unknown): StoredSeal => ({
  date: dated.parse(item).SK.slice('D#'.length),
  seal: readSeal(item),
});
const toStoredCheckpoint = (item: unknown): StoredCheckpoint => ({
  date: dated.parse(item).SK.slice('C#'.length),
  checkpoint: readCheckpoint(item),
});
const stored = z.object({ lines: z.string() });

const beginningWith = (partition: string, prefix: string) => ({
  KeyConditionExpression: 'PK = :partition AND begins_with(SK, :prefix)',
  ExpressionAttributeValues: { ':partition': partition, ':prefix': prefix },
  ConsistentRead: true,
});

const allOf = (table: Table, partition: string, prefix: string) =>
  queryAll(table, beginningWith(partition, prefix));

async function lastOf({ client, name: TableName }: Table, partition: string, prefix: string) {
  const query = { ...beginningWith(partition, prefix), ScanIndexForward: false, Limit: 1 };
  const { Items = [] } = await client.send(new QueryCommand({ TableName, ...query }));
  return Items[0];
}

/** Writes the lines with their seal, on condition that neither exists. */
function write(table: Table, { seal, lines }: SealWithLines) {
  const put = (Item: Record<string, unknown>) => ({
    write: {
      Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(PK)' },
    },
    onConditionFailed: 'seal_exists' as const,
  });
  const kept = seal.count <= mostLines ? [put({ ...linesKey(seal), lines: [...lines].join('\n') })] : [];
  return transact<'seal_exists'>(table, [put(toSealItem(seal)), ...kept]);
}

const writeCheckpoint = (table: Table, checkpoint: Checkpoint) =>
  transact<'checkpoint_exists'>(table, [
    {
      write: {
        Put: {
          TableName: table.name,
          Item: toCheckpointItem(checkpoint),
          ConditionExpression: 'attribute_not_exists(PK)',
        },
      },
      onConditionFailed: 'checkpoint_exists',
    },
  ]);
