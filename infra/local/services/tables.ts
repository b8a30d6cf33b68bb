import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const schema = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z.optional(
    z.array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.optional(z.array(z.string())),
        }),
      }),
    ),
  ),
  TimeToLiveSpecification: z.optional(
    z.object({ AttributeName: z.optional(z.string()), Enabled: z.boolean() }),
  ),
});
type TableProperties = z.infer<typeof schema>;

/**
 * Creates the template's tables that do not exist yet, and the indexes that an existing one lacks, as a deployment does. An index that the
 * template no longer has stays, so that an earlier version starts on the data of a later one. Each added index is told as a sentence.
 * Throws when an existing table or index has another shape.
 */
export async function createTables(
  client: DynamoDBClient,
  resources: readonly Resource[],
  tell: (sentence: string) => void,
): Promise<void> {
  const tables = ofType(resources, 'AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
  await Promise.all(tables.map((table) => ensureTable(client, table, tell)));
}

async function ensureTable(
  client: DynamoDBClient,
  { id, identity, properties }: Resource,
  tell: (sentence: string) => void,
): Promise<void> {
  const parsed = schema.safeParse(properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot create the table ${id} of the template.`);
  const name = identity.ref;
  const wanted = definition(name, parsed.data);
  const existing = await describe(client, name);
  if (!existing) return create(client, wanted, parsed.data);
  if (!isKept(existing, wanted)) {
    throw new CommandError(
      `The table ${name} was created from an older template: run npm start -- --reset to start with new data.`,
    );
  }
  for (const index of missingIndexes(existing, wanted)) {
    await addIndex(client, wanted, index);
    tell(
      `The table ${name} now has the index ${index.IndexName}. Items of the version before may lack its keys.`,
    );
  }
}

async function create(
  client: DynamoDBClient,
  wanted: CreateTableCommandInput,
  properties: TableProperties,
): Promise<void> {
  await client.send(new CreateTableCommand(wanted));
  const { AttributeName, Enabled } = properties.TimeToLiveSpecification ?? {};
  if (!AttributeName || !Enabled) return;
  const TimeToLiveSpecification = { AttributeName, Enabled };
  await client.send(new UpdateTimeToLiveCommand({ TableName: wanted.TableName, TimeToLiveSpecification }));
}

/** Without a stream: the runner has no consumer for one, and its records would slow the server down. */
const definition = (name: string, properties: TableProperties): CreateTableCommandInput => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: properties.KeySchema,
  AttributeDefinitions: properties.AttributeDefinitions,
  GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
});

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return undefined;
    throw thrown;
  }
}

/** Adds one index; DynamoDB takes one for each update. */
async function addIndex(
  client: DynamoDBClient,
  { TableName, AttributeDefinitions }: CreateTableCommandInput,
  Create: GlobalSecondaryIndex,
): Promise<void> {
  const GlobalSecondaryIndexUpdates = [{ Create }];
  await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
}

type Described = CreateTableCommandInput | TableDescription;

const missingIndexes = (existing: Described, wanted: CreateTableCommandInput) => {
  const names = new Set(existing.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  return (wanted.GlobalSecondaryIndexes ?? []).filter(({ IndexName }) => !names.has(IndexName));
};

/** Whether the existing table has the template's key, and every index that both have is the same: neither can change on a table with data. */
function isKept(existing: Described, wanted: Described): boolean {
  const [had, has] = [indexShapes(existing), indexShapes(wanted)];
  return (
    keyShape(existing.KeySchema) === keyShape(wanted.KeySchema) &&
    [...has].every(([name, shape]) => (had.get(name) ?? shape) === shape)
  );
}

const keyShape = (keys: Described['KeySchema'] = []): string =>
  keys
    .map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`)
    .toSorted()
    .join(' ');

const indexShapes = ({ GlobalSecondaryIndexes = [] }: Described): ReadonlyMap<string | undefined, string> =>
  new Map(
    GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
      IndexName,
      JSON.stringify([
        keyShape(KeySchema),
        Projection?.ProjectionType,
        (Projection?.NonKeyAttributes ?? []).toSorted(),
      ]),
    ]),
  );
