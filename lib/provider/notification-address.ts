import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credentials } from './credentials.ts';

const shortestSecret = 16;

/**
 * Whether text is one of the secrets, compared in constant time. A secret that is too short counts as none, so that an address
 * without a secret is never open.
 */
export function isOneOfSecrets(given: string, secrets: readonly string[]): boolean {
  const matches = secrets.map(
    (secret) => timingSafeEqual(sha256(given), sha256(secret)) && secret.length >= shortestSecret,
  );
  return matches.includes(true);
}

/** Whether text is one of the secrets. A secret that was replaced after this process read it is read again. */
export const isCurrentSecret = async (given: string, secrets: Credentials<string>): Promise<boolean> =>
  isOneOfSecrets(given, await secrets()) || isOneOfSecrets(given, await secrets({ renewed: true }));

/** Makes both inputs equally long, as a constant-time comparison needs. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
