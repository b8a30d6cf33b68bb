import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { Defect } from '../defect.ts';

/** Returns the current value of a secret, by its name or ARN. */
export async function readSecret(client: SecretsManagerClient, id: string): Promise<string> {
  const { text } = await readVersion(client, id, 'AWSCURRENT');
  return text;
}

/**
 * Returns the value that signs, then the values that are also accepted. Which of the current and the previous value signs, and
 * whether the previous one still counts, depends on the age of the current one.
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
    // The secret has no previous value.
    if (error instanceof ResourceNotFoundException) return [current];
    throw error;
  }
}

/** Replaces the current value; Secrets Manager keeps the old one as the previous value. */
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
