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

const renewedAtMostEveryMs = 10_000;

/** A cached value that its user may find out of date. */
export type Renewable<T> = {
  readonly value: () => Promise<T>;
  /** Makes the value again, at most every ten seconds; when that fails, returns the cached one. */
  readonly renew: () => Promise<T>;
};

/** As `cached`, and can be renewed before its time. */
export function renewable<T>(make: () => Promise<T>, { forMs, now = Date.now }: Options): Renewable<T> {
  let madeAt = Number.NEGATIVE_INFINITY;
  const fresh = () =>
    cached(
      async () => {
        madeAt = now();
        return make();
      },
      { forMs, now },
    );
  let current = fresh();
  return {
    value: () => current(),
    async renew() {
      if (now() - madeAt < renewedAtMostEveryMs) return current();
      const before = current;
      current = fresh();
      const next = current;
      return next().catch(() => {
        if (current === next) current = before;
        return before();
      });
    },
  };
}

/** Returns a function that calls `make` once and caches its value; when `make` throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
