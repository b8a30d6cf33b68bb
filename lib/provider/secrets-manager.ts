import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { Defect } from '../defect.ts';

/** The current value of a secret, by its name or ARN. */
export async function readSecret(client: SecretsManagerClient, id: string): Promise<string> {
  const { text } = await readVersion(client, id, 'AWSCURRENT');
  return text;
}

/**
 * The current value of a secret and the one before it, as the age of the current one says: first the one that signs, then
 * what is accepted beside it.
 */
export async function readWithPrevious(
  client: SecretsManagerClient,
  id: string,
  standingOfPrevious: (currentSince: Date | undefined) => 'signs' | 'accepted' | 'over',
): Promise<readonly [signing: string, ...accepted: string[]]> {
  const { text: current, since } = await readVersion(client, id, 'AWSCURRENT');
  const standing = standingOfPrevious(since);
  if (standing === 'over') return [current];
  try {
    const { text: previous } = await readVersion(client, id, 'AWSPREVIOUS');
    return standing === 'signs' ? [previous, current] : [current, previous];
  } catch (error) {
    // It was never replaced.
    if (error instanceof ResourceNotFoundException) return [current];
    throw error;
  }
}

/** Another value from now on; Secrets Manager keeps the one that was current as the previous one. */
export async function replaceSecret(
  client: SecretsManagerClient,
  SecretId: string,
  SecretString: string,
): Promise<void> {
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
}

async function readVersion(
  client: SecretsManagerClient,
  SecretId: string,
  VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS',
) {
  const { SecretString, CreatedDate } = await client.send(
    new GetSecretValueCommand({ SecretId, VersionStage }),
  );
  if (!SecretString) throw new Defect('SECRET_EMPTY', `The secret ${SecretId} is empty.`);
  return { text: SecretString, since: CreatedDate };
}
