import type { Opener } from './ports.ts';

const keptMs = 5 * 60_000;
const keptAtMost = 1_000;

type Kept = { readonly secret: Promise<string>; readonly until: number };

/**
 * Opens each sealed secret once in five minutes. A replaced token is another sealed text, so it is never mistaken for
 * the one before; the context is part of the key, so a secret opened in its place is not handed out in another.
 */
export function cachedOpener(opener: Opener, now: () => Date): Opener {
  const kept = new Map<string, Kept>();

  return {
    open(sealed, context) {
      const key = JSON.stringify([sealed, context]);
      const known = kept.get(key);
      if (known && known.until > now().getTime()) return known.secret;
      const secret = opener.open(sealed, context);
      // What could not be opened is asked for again.
      secret.catch(() => kept.delete(key));
      kept.delete(key);
      kept.set(key, { secret, until: now().getTime() + keptMs });
      forgetOldest(kept);
      return secret;
    },
  };
}

function forgetOldest(kept: Map<string, Kept>): void {
  const [oldest] = kept.keys();
  if (kept.size > keptAtMost && oldest !== undefined) kept.delete(oldest);
}
