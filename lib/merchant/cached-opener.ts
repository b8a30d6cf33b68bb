import type { Opener } from './ports.ts';

const cachedMs = 5 * 60_000;
const mostCached = 1_000;

type Cached = { readonly secret: Promise<string>; readonly until: number };

/**
 * Decrypts each sealed secret once in five minutes. A replaced token has another sealed text, so the cache does not
 * return the old one; the encryption context is part of the key, so a cached secret is bound to its context.
 */
export function cachedOpener(opener: Opener, now: () => Date): Opener {
  const cache = new Map<string, Cached>();

  return {
    open(sealed, context) {
      const key = JSON.stringify([sealed, context]);
      const cached = cache.get(key);
      if (cached && cached.until > now().getTime()) return cached.secret;
      const secret = opener.open(sealed, context);
      // A failure is not cached.
      secret.catch(() => cache.delete(key));
      cache.delete(key);
      cache.set(key, { secret, until: now().getTime() + cachedMs });
      evictOldest(cache);
      return secret;
    },
  };
}

function evictOldest(cache: Map<string, Cached>): void {
  const [oldest] = cache.keys();
  if (cache.size > mostCached && oldest !== undefined) cache.delete(oldest);
}
