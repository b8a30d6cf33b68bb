/** The secrets of the payer's pages: the first signs, and signatures of all are accepted. */
export type PageSecrets = readonly [signing: string, ...accepted: string[]];

/** Longer than a function caches the secrets: after it every function has read the new one. */
const becomesKnownMs = 10 * 60_000;
/** Twice the hour that a payer may take on the acquirer's page. */
const overlapMs = 2 * 60 * 60_000;

/**
 * Returns the role of the previous secret, given since when the current one exists. The previous one keeps signing
 * until every function knows the current one: otherwise the next page might reject a payer's return URL.
 */
export function standingOfPrevious(since: Date | undefined, now: Date): 'signs' | 'accepted' | 'over' {
  if (since === undefined) return 'over';
  const age = now.getTime() - since.getTime();
  if (age >= overlapMs) return 'over';
  return age < becomesKnownMs ? 'signs' : 'accepted';
}

/** Returns the first defined result of `readUnder` over the secrets. */
export function readUnderAny<T>(
  secrets: PageSecrets,
  readUnder: (secret: string) => T | undefined,
): T | undefined {
  for (const secret of secrets) {
    const found = readUnder(secret);
    if (found !== undefined) return found;
  }
  return undefined;
}
