import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The current value of a secret, by its name or ARN. */
export async function readSecret(client: SecretsManagerClient, SecretId: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error(`The secret ${SecretId} is empty.`);
  return SecretString;
}
