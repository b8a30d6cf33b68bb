import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SandboxDeps } from '../sandbox/deps.ts';

/** A sentence that names what is missing, at the first request and not somewhere below. */
function needed(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`The environment variable ${name} is missing: the sandbox can not work without it.`);
  return value;
}

/** Read once; forgotten when the reading failed, so that the next request tries again. */
function kept<T>(get: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= get().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}

/** The sandbox as it runs: its own table and the secret it shares with the service. */
export function liveSandbox(): SandboxDeps {
  const requestHandler = { requestTimeout: 1500, connectionTimeout: 500 };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }));
  const secrets = new SecretsManagerClient({ requestHandler });
  const SecretId = needed('SANDBOX_SECRET_ID');
  const secret = kept(async () => {
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error('The secret that the sandbox shares with the service is empty.');
    return SecretString;
  });
  return {
    table: { client, name: needed('SANDBOX_TABLE_NAME') },
    secret,
    now: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    delay: (ms) => delay(ms),
    fetch,
    url: process.env['SANDBOX_URL'] || undefined,
  };
}
