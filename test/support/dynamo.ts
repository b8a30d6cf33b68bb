import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { backOff } from '../../lib/runtime/back-off.ts';
import { openTable, type Table, tableSchema } from '../../lib/store/table.ts';

type Server = { readonly client: DynamoDBClient; readonly process: ChildProcess };
let server: Promise<Server> | undefined;
let tables = 0;

// The runner ends its workers by a signal, after which nothing of theirs is told to exit.
afterAll(async () => {
  (await server)?.process.kill('SIGKILL');
});

/** A new table with the product's keys on a DynamoDB-compatible server that lives as long as the test file. */
export async function freshTable(): Promise<Table> {
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
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['lines', 'kind', 'about'] },
        },
      ],
    }),
  );
  return openTable(client, name, backOff);
}

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
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  for (;;) {
    const answered = await client.send(new ListTablesCommand()).then(
      () => true,
      () => false,
    );
    if (answered) return { client, process: process_ };
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
