/** The first of them signs pages; what any of them signed is good while it lives. */
export type PageSecrets = readonly [signing: string, ...accepted: string[]];

/** Longer than a function goes on with the secrets that it was told: by then every one of them knows the new secret. */
const becomesKnownMs = 10 * 60_000;
/** An hour that a payer may take at the acquirer's, and as long again. */
const overlapMs = 2 * 60 * 60_000;

/**
 * What the secret before the current one, in force since then, is good for. It goes on signing until every function knows
 * the current one: a payer whose way back was signed under a secret that the next page does not know would be lost.
 */
export function standingOfPrevious(since: Date | undefined, now: Date): 'signs' | 'accepted' | 'over' {
  if (since === undefined) return 'over';
  const age = now.getTime() - since.getTime();
  if (age >= overlapMs) return 'over';
  return age < becomesKnownMs ? 'signs' : 'accepted';
}

/** What the first of the secrets reads that can. */
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
