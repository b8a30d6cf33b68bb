import {
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDynamoDb } from '../../infra/local/services/dynamodb.ts';
import { createTables } from '../../infra/local/services/tables.ts';
import { localAccount } from '../support/local-account.ts';

const TableName = 'app-table';
const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
const index = (IndexName: string, hash: string, ProjectionType: 'KEYS_ONLY' | 'ALL' = 'KEYS_ONLY') => ({
  IndexName,
  KeySchema: keys(hash, `${hash}At`),
  Projection: { ProjectionType },
});
const work = index('WORK', 'work');
const list = index('LIST', 'list');

/** The table of a template with these indexes. */
const templateWith = (
  indexes: NonNullable<CreateTableCommandInput['GlobalSecondaryIndexes']>,
  KeySchema = keys('PK', 'SK'),
) => [
  {
    id: 'Table',
    type: 'AWS::DynamoDB::GlobalTable',
    identity: { ref: TableName, attributes: {} },
    properties: {
      KeySchema,
      AttributeDefinitions: [KeySchema, ...indexes.map((one) => one.KeySchema ?? [])]
        .flat()
        .map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: indexes,
    },
  },
];

async function aTableOf(template: ReturnType<typeof templateWith>) {
  const server = await startDynamoDb();
  const client = new DynamoDBClient({ endpoint: server.endpoint, ...localAccount });
  onTestFinished(async () => {
    client.destroy();
    await server.stop();
  });
  const told: string[] = [];
  const start = (later: ReturnType<typeof templateWith>) =>
    createTables(client, later, (sentence) => told.push(sentence));
  await start(template);
  const indexes = async () =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table?.GlobalSecondaryIndexes?.map(
      ({ IndexName }) => IndexName,
    ).toSorted();
  return { client, start, told, indexes };
}

describe('a table with data of an earlier version', () => {
  it('gets the index that it lacks, with what has its keys, and the start says so', async () => {
    const { client, start, told, indexes } = await aTableOf(templateWith([work]));
    const Item = Object.fromEntries(['PK', 'SK', 'list', 'listAt'].map((name) => [name, { S: name }]));
    await client.send(new PutItemCommand({ TableName, Item }));

    await start(templateWith([work, list, index('THIRD', 'third')]));

    expect(await indexes()).toEqual(['LIST', 'THIRD', 'WORK']);
    const query = new QueryCommand({
      TableName,
      IndexName: 'LIST',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':list': { S: 'list' } },
    });
    expect((await client.send(query)).Items).toEqual([Item]);
    expect(told).toEqual([
      'The table app-table now has the index LIST. Items of the version before may lack its keys.',
      expect.stringContaining('THIRD'),
    ]);
  });

  it('is left as it is at the next start, and when an earlier version starts on it', async () => {
    const { start, told, indexes } = await aTableOf(templateWith([work, list]));
    await start(templateWith([list, work]));
    await start(templateWith([work]));
    expect([await indexes(), told]).toEqual([['LIST', 'WORK'], []]);
  });

  it.each([
    ['another key', templateWith([work], keys('id', 'SK'))],
    ['an index with another key', templateWith([{ ...work, KeySchema: keys('todo', 'workAt') }])],
    ['an index of other attributes', templateWith([index('WORK', 'work', 'ALL')])],
  ])('is refused when the template has %s', async (_what, template) => {
    const { start } = await aTableOf(templateWith([work]));
    await expect(start(template)).rejects.toThrow('run npm start -- --reset to start with new data');
  });
});
