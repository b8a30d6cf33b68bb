import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { type DynamoDbServer, startDynamoDb } from '../../infra/local/services/dynamodb.ts';
import { databaseConfig } from '../../lib/runtime/deadlines.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import { openTable, type Table, tableIndexes, tableSchema } from '../../lib/store/table.ts';
import { type ConflictProxy, conflictProxy } from './conflict-proxy.ts';
import { localAccount } from './local-account.ts';
import { usualLockMs } from './lock-time.ts';

type Database = {
  readonly server: DynamoDbServer;
  readonly client: DynamoDBClient;
  readonly proxies: Map<number, Promise<ConflictProxy>>;
};

/** Creating a table takes a server longer the more it has, so another one is started after this many. */
const tablesPerServer = 100;

let tables = 0;
let runningFile: string | undefined;
/** Of the running test file, the newest last. */
const servers: Promise<Database>[] = [];

/** Returns the newest server of the running test file. Those of the file before it are stopped. */
function newestServer(): Promise<Database> {
  const file = expect.getState().testPath;
  if (file !== runningFile) for (const server of servers.splice(0)) void server.then(close);
  runningFile = file;
  return servers.at(-1) ?? anotherServer();
}

function anotherServer(): Promise<Database> {
  const opened = open();
  servers.push(opened);
  return opened;
}

async function open(): Promise<Database> {
  const server = await startDynamoDb();
  return {
    server,
    client: new DynamoDBClient({ endpoint: server.endpoint, ...localAccount }),
    proxies: new Map(),
  };
}

async function close({ server, client, proxies }: Database): Promise<void> {
  client.destroy();
  for (const proxy of proxies.values()) await (await proxy).close();
  await server.stop();
}

/**
 * Creates a table with the product's keys on a DynamoDB-compatible server that lives as long as the test file. With
 * `lockMs`, requests pass through the proxy that refuses writes of items held by a transaction.
 */
export async function freshTable({ lockMs = usualLockMs } = {}): Promise<Table> {
  tables += 1;
  const name = `paylink-test-${tables}`;
  const newest = newestServer();
  const database = await (tables % tablesPerServer === 0 ? anotherServer() : newest);
  const { partitionKey, sortKey, work, timeline, list } = tableSchema;
  const attributes = [
    partitionKey,
    sortKey,
    ...tableIndexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ];
  await database.client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys(partitionKey, sortKey),
      GlobalSecondaryIndexes: [
        {
          IndexName: work.name,
          KeySchema: keys(work.partitionKey, work.sortKey),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: timeline.name,
          KeySchema: keys(timeline.partitionKey, timeline.sortKey),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...timeline.attributes] },
        },
        {
          IndexName: list.name,
          KeySchema: keys(list.partitionKey, list.sortKey),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  return openTable(lockMs > 0 ? await clientBehind(database, lockMs) : database.client, name, backOff);
}

/** Returns the proxy of the newest tables created with this lock time. */
export const proxyWith = async (lockMs: number): Promise<ConflictProxy> =>
  proxyOf(await newestServer(), lockMs);

function proxyOf({ server, proxies }: Database, lockMs: number): Promise<ConflictProxy> {
  const proxy = proxies.get(lockMs) ?? conflictProxy({ target: server.endpoint, lockMs });
  proxies.set(lockMs, proxy);
  return proxy;
}

const clientBehind = async (database: Database, lockMs: number): Promise<DynamoDBClient> =>
  new DynamoDBClient({
    endpoint: (await proxyOf(database, lockMs)).origin,
    ...localAccount,
    maxAttempts: databaseConfig.maxAttempts,
    requestHandler: { ...databaseConfig.requestHandler, httpAgent: { keepAlive: true, maxSockets: 256 } },
  });

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
