type Terms = { readonly forMs: number; readonly now?: () => number };

/** How long a function works with what it was told: after this a rotated secret is known everywhere. */
export const usuallyKeptMs = 5 * 60_000;

const triedAgainMs = 30_000;

type Kept<T> = { readonly made: Promise<T>; readonly until: number };

/**
 * Made at the first call and kept for so long. What cannot be made is not kept: the next call tries again; where there is
 * an older one, that serves meanwhile.
 */
export function kept<T>(make: () => Promise<T>, { forMs, now = Date.now }: Terms): () => Promise<T> {
  let value: Kept<T> | undefined;

  function renew(before: Kept<T> | undefined): Kept<T> {
    const making = make();
    const next: Kept<T> = { made: before ? making.catch(() => before.made) : making, until: now() + forMs };
    making.catch(() => {
      if (value === next) value = before && { ...before, until: now() + triedAgainMs };
    });
    return next;
  }

  return () => {
    if (!value || value.until <= now()) value = renew(value);
    return value.made;
  };
}

/** Made at the first call and kept; when the making throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
