import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../infra/local/services/dynamodb.ts';
import { backOff } from '../../../lib/runtime/back-off.ts';
import { localAccount } from '../../support/local-account.ts';
import { openTable, type Table, tableIndexes, tableSchema } from '../../../lib/store/table.ts';

export type Tables = {
  /** Creates a table with the product's keys and indexes. */
  readonly make: (name: string) => Promise<Table>;
  readonly drop: (table: Table) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts an in-memory DynamoDB-compatible server for any number of consecutive runs. */
export async function startTables(): Promise<Tables> {
  const server = await startDynamoDb();
  const client = new DynamoDBClient({ endpoint: server.endpoint, ...localAccount });
  return {
    async make(name) {
      await client.send(new CreateTableCommand({ TableName: name, ...shape }));
      return openTable(client, name, backOff);
    },
    async drop({ name }) {
      await client.send(new DeleteTableCommand({ TableName: name }));
    },
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}

const { partitionKey, sortKey } = tableSchema;

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

const attributes = [
  partitionKey,
  sortKey,
  ...tableIndexes.flatMap((index) => [index.partitionKey, index.sortKey]),
];

const shape = {
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: keys(partitionKey, sortKey),
  GlobalSecondaryIndexes: tableIndexes.map(({ name, partitionKey: partition, sortKey: sort }) => ({
    IndexName: name,
    KeySchema: keys(partition, sort),
    Projection: { ProjectionType: 'ALL' as const },
  })),
};
