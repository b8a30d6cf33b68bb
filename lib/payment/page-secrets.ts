/** What pages are signed with, the newest first. What one of them signed is good while it lives, rotated or not. */
export type PageSecrets = readonly [current: string, ...previous: string[]];

/** An hour that a payer may take at the acquirer's, and as long again. */
const overlapMs = 2 * 60 * 60_000;

/** Whether the one before a secret that is in force since then is still accepted. */
export const acceptsPrevious = (since: Date | undefined, now: Date): boolean =>
  since !== undefined && now.getTime() < since.getTime() + overlapMs;

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
