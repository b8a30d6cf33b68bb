import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { YookassaAccess } from '../../lib/installation/data-folder.ts';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { namesOf } from '../../lib/installation/names.ts';

/**
 * Stores the emulator's keys in the provider's secrets, as `provider set` stores those of the provider. Returns the secret part of
 * the notification address, which the template generated.
 */
export async function storeYookassaKeys(endpoint: string, access: YookassaAccess): Promise<string> {
  const client = new SecretsManagerClient(clientConfig(endpoint));
  const secretId = namesOf('local').secret;
  const { shopId, secretKey, gatewayId, gatewaySecretKey } = access;
  await store(client, secretId('yookassa'), { shopId, secretKey });
  await store(client, secretId('yookassa-payouts'), { gatewayId, secretKey: gatewaySecretKey });
  const { SecretString = '' } = await client.send(
    new GetSecretValueCommand({ SecretId: secretId('yookassa-notifications') }),
  );
  client.destroy();
  return SecretString;
}

/** Stores a value that differs from the current one: an equal one would become the previous value too. */
async function store(client: SecretsManagerClient, SecretId: string, value: object): Promise<void> {
  const { SecretString: current } = await client.send(new GetSecretValueCommand({ SecretId }));
  const SecretString = JSON.stringify(value);
  if (current !== SecretString) await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
}
