import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { YookassaAccess } from '../../lib/installation/data-folder.ts';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { namesOf } from '../../lib/installation/names.ts';

const secretValue = z.looseObject({ notificationSecret: z.string() });

/**
 * Stores the emulator's keys in the secret `yookassa`, as an operator stores those of the provider. Returns the secret part of
 * the notification address, which the template generated.
 */
export async function storeYookassaKeys(endpoint: string, access: YookassaAccess): Promise<string> {
  const client = new SecretsManagerClient(clientConfig(endpoint));
  const SecretId = namesOf('local').secret('yookassa');
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
  const current = secretValue.parse(JSON.parse(SecretString));
  const { shopId, secretKey, gatewayId, gatewaySecretKey } = access;
  const filledIn = JSON.stringify({ ...current, shopId, secretKey, gatewayId, gatewaySecretKey });
  if (filledIn !== SecretString)
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: filledIn }));
  client.destroy();
  return current.notificationSecret;
}
