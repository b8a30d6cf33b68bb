import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { join } from 'node:path';
import { serveAws } from './aws-json.ts';
import { type DynamoDbServer, startDynamoDb } from './dynamodb.ts';
import { clientConfig, type FunctionEndpoints } from '../../../lib/installation/local-endpoints.ts';
import { kmsOf, kmsTarget } from './kms.ts';
import { createQueues, queueClient, type QueueServer, startQueues } from './queues.ts';
import type { Resource } from '../template/resources.ts';
import { secretsOf, secretsTarget } from './secrets.ts';
import { createTables } from './tables.ts';
import { secretFile, secretsInMemory } from './secret-file.ts';

/** The servers that start without a template. */
export type Servers = { readonly database: DynamoDbServer; readonly queues: QueueServer };

/** Starts the database and the queues. Without a folder the database is lost at the end. */
export async function startServers(
  folder: string | undefined,
  started: AsyncDisposableStack,
): Promise<Servers> {
  const stored = folder === undefined ? {} : { file: join(folder, 'dynamodb.sqlite') };
  const database = started.adopt(await startDynamoDb(stored), (server) => server.stop());
  const queues = started.adopt(await startQueues(), (server) => server.stop());
  return { database, queues };
}

export type ServiceOptions = {
  /** The folder for data that outlives the run. Undefined: the data is lost at the end. */
  readonly folder: string | undefined;
  /** Receives what was changed in existing data, as sentences. */
  readonly tell: (sentence: string) => void;
};

/** Creates the template's tables and queues, and serves its keys and secrets. */
export async function openServices(
  { database, queues }: Servers,
  resources: readonly Resource[],
  { folder, tell }: ServiceOptions,
  started: AsyncDisposableStack,
): Promise<FunctionEndpoints> {
  const keepSecret = folder === undefined ? secretsInMemory() : secretFile(join(folder, 'keys.json'));
  const services = {
    [kmsTarget]: kmsOf(resources, keepSecret),
    [secretsTarget]: secretsOf(resources, keepSecret),
  };
  const aws = started.adopt(await serveAws(services), (server) => server.stop());
  await Promise.all([openDatabase(database.endpoint, resources, tell), openQueues(queues.origin, resources)]);
  return {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SQS: queues.origin,
    AWS_ENDPOINT_URL_KMS: aws.origin,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.origin,
  };
}

async function openDatabase(
  endpoint: string,
  resources: readonly Resource[],
  tell: ServiceOptions['tell'],
): Promise<void> {
  const client = new DynamoDBClient(clientConfig(endpoint));
  await createTables(client, resources, tell).finally(() => client.destroy());
}

async function openQueues(endpoint: string, resources: readonly Resource[]): Promise<void> {
  const client = queueClient(endpoint);
  await createQueues(client, resources).finally(() => client.destroy());
}
