/** `Object.keys` that keeps the key type. */
export function keysOf<K extends string>(record: Readonly<Partial<Record<K, unknown>>>): readonly K[] {
  const isKey = (name: string): name is K => name in record;
  return Object.keys(record).filter(isKey);
}
