import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { databaseConfig } from '../../lib/runtime/deadlines.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import { openTable, type Table, tableSchema } from '../../lib/store/table.ts';
import { type ConflictProxy, conflictProxy } from './conflict-proxy.ts';
import { usualLockMs } from './lock-time.ts';

type Server = {
  readonly client: DynamoDBClient;
  readonly endpoint: string;
  readonly process: ChildProcess;
  readonly proxies: Map<number, Promise<ConflictProxy>>;
};
let server: Promise<Server> | undefined;
let tables = 0;

// The test runner kills its workers with a signal, so no exit handler would run.
afterAll(async () => {
  const started = await server;
  started?.process.kill('SIGKILL');
  for (const proxy of started?.proxies.values() ?? []) await (await proxy).close();
});

/**
 * Creates a table with the product's keys on a DynamoDB-compatible server that lives as long as the test file. With
 * `lockMs`, requests pass through the proxy that refuses writes of items held by a transaction.
 */
export async function freshTable({ lockMs = usualLockMs } = {}): Promise<Table> {
  server ??= startServer();
  const { client } = await server;
  const name = `paylink-test-${(tables += 1)}`;
  const { partitionKey, sortKey, work, timeline } = tableSchema;
  const attributes = [
    partitionKey,
    sortKey,
    ...[work, timeline].flatMap((index) => [index.partitionKey, index.sortKey]),
  ];
  await client.send(
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
      ],
    }),
  );
  return openTable(lockMs > 0 ? await clientBehind(lockMs) : client, name, backOff);
}

/** Returns the proxy of the tables created with this lock time. */
export async function proxyWith(lockMs: number): Promise<ConflictProxy> {
  const { endpoint, proxies } = await (server ??= startServer());
  const proxy = proxies.get(lockMs) ?? conflictProxy({ target: endpoint, lockMs });
  proxies.set(lockMs, proxy);
  return proxy;
}

const clientBehind = async (lockMs: number): Promise<DynamoDBClient> =>
  new DynamoDBClient({
    endpoint: (await proxyWith(lockMs)).origin,
    ...account,
    maxAttempts: databaseConfig.maxAttempts,
    requestHandler: { ...databaseConfig.requestHandler, httpAgent: { keepAlive: true, maxSockets: 256 } },
  });

const account = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

async function startServer(): Promise<Server> {
  const port = await freePort();
  const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  const process_ = spawn(manifest.replace(/package\.json$/, 'dynoxide'), ['serve', '--port', String(port)], {
    stdio: 'ignore',
  });
  process.once('exit', () => process_.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint, ...account });
  for (;;) {
    const answered = await client.send(new ListTablesCommand()).then(
      () => true,
      () => false,
    );
    if (answered) return { client, endpoint, process: process_, proxies: new Map() };
    if (process_.exitCode !== null) throw new Error('The local DynamoDB-compatible server did not start');
    await delay(10);
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
