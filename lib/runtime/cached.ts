type Options = { readonly forMs: number; readonly now?: () => number };

/** How long a function uses what it has read: after this time a rotated secret is in use everywhere. */
export const cacheMs = 5 * 60_000;

const retryAfterMs = 30_000;

type Cached<T> = { readonly made: Promise<T>; readonly until: number };

/**
 * Returns a function that calls `make` once and caches its value for `forMs`. A failure is not cached: the next call tries again, and
 * as long as there is an older value, that value is returned and `make` is retried every 30 seconds.
 */
export function cached<T>(make: () => Promise<T>, { forMs, now = Date.now }: Options): () => Promise<T> {
  let value: Cached<T> | undefined;

  function renew(before: Cached<T> | undefined): Cached<T> {
    const making = make();
    const next: Cached<T> = { made: before ? making.catch(() => before.made) : making, until: now() + forMs };
    making.catch(() => {
      if (value === next) value = before && { ...before, until: now() + retryAfterMs };
    });
    return next;
  }

  return () => {
    if (!value || value.until <= now()) value = renew(value);
    return value.made;
  };
}

/** Returns a function that calls `make` once and caches its value; when `make` throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
