/** Made at the first call and kept; when the making throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
