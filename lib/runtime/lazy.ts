/** Made at the first call and kept; forgotten when the making failed, so that the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    const { made } = value;
    if (made instanceof Promise) made.catch(() => (value = undefined));
    return made;
  };
}
