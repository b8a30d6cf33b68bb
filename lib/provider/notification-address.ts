import { createHash, timingSafeEqual } from 'node:crypto';

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

/** Makes both inputs equally long, as a constant-time comparison needs. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
