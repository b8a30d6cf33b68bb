import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
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

/** Creates the template's tables that do not exist yet. Returns all names. Throws when an existing one has another shape. */
export async function createTables(
  client: DynamoDBClient,
  resources: readonly Resource[],
): Promise<readonly string[]> {
  const tables = ofType(resources, 'AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
  return Promise.all(tables.map((table) => ensureTable(client, table)));
}

async function ensureTable(client: DynamoDBClient, { id, identity, properties }: Resource): Promise<string> {
  const parsed = schema.safeParse(properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot create the table ${id} of the template.`);
  const name = identity.ref;
  const wanted = definition(name, parsed.data);
  const existing = await describe(client, name);
  if (!existing) await create(client, wanted, parsed.data);
  else if (shape(existing) !== shape(wanted)) {
    throw new CommandError(
      `The table ${name} was created from an older template: run npm start -- --reset to start with new data.`,
    );
  }
  return name;
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

/** Returns the properties that cannot change on a table with data, as comparable text. */
function shape({
  KeySchema,
  GlobalSecondaryIndexes = [],
}: CreateTableCommandInput | TableDescription): string {
  const keys = (list: typeof KeySchema) =>
    (list ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).toSorted();
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: own, Projection }) => [
    IndexName,
    keys(own),
    Projection?.ProjectionType,
    (Projection?.NonKeyAttributes ?? []).toSorted(),
  ]);
  return JSON.stringify([keys(KeySchema), indexes.map((index) => JSON.stringify(index)).toSorted()]);
}
