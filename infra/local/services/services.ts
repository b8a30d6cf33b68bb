import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { join } from 'node:path';
import { serveAws } from './aws-json.ts';
import { type DynamoDbServer, startDynamoDb } from './dynamodb.ts';
import { clientConfig, type FunctionEndpoints } from '../../../lib/installation/local-endpoints.ts';
import { kmsOf, kmsTarget } from './kms.ts';
import { makeQueues, queueClient, type QueueServer, startQueues } from './queues.ts';
import type { Resource } from '../template/resources.ts';
import { secretsOf, secretsTarget } from './secrets.ts';
import { makeTables } from './tables.ts';
import { secretFile, secretsInMemory } from './secret-file.ts';

/** The servers that need no template to start. */
export type Servers = { readonly database: DynamoDbServer; readonly queues: QueueServer };

/** The database and the queues, still empty. Without a folder the database is forgotten at the end. */
export async function startServers(
  folder: string | undefined,
  started: AsyncDisposableStack,
): Promise<Servers> {
  const file = folder === undefined ? undefined : join(folder, 'dynamodb.sqlite');
  const database = started.adopt(await startDynamoDb({ file }), (server) => server.stop());
  const queues = started.adopt(await startQueues(), (server) => server.stop());
  return { database, queues };
}

/** Fills them with what the template describes, and answers for its keys and secrets. */
export async function openServices(
  { database, queues }: Servers,
  resources: readonly Resource[],
  folder: string | undefined,
  started: AsyncDisposableStack,
): Promise<FunctionEndpoints> {
  const keepSecret = folder === undefined ? secretsInMemory() : secretFile(join(folder, 'keys.json'));
  const services = {
    [kmsTarget]: kmsOf(resources, keepSecret),
    [secretsTarget]: secretsOf(resources, keepSecret),
  };
  const aws = started.adopt(await serveAws(services), (server) => server.stop());
  await Promise.all([fillDatabase(database.endpoint, resources), fillQueues(queues.origin, resources)]);
  return {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SQS: queues.origin,
    AWS_ENDPOINT_URL_KMS: aws.origin,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.origin,
  };
}

async function fillDatabase(endpoint: string, resources: readonly Resource[]): Promise<void> {
  const client = new DynamoDBClient(clientConfig(endpoint));
  await makeTables(client, resources).finally(() => client.destroy());
}

async function fillQueues(endpoint: string, resources: readonly Resource[]): Promise<void> {
  const client = queueClient(endpoint);
  await makeQueues(client, resources).finally(() => client.destroy());
}
