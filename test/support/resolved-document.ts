import * as z from 'zod/mini';

const node = z.record(z.string(), z.unknown());

/** Returns the JSON document with each internal `$ref` replaced by its target. */
export function resolved(document: unknown): unknown {
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce((place: unknown, key) => node.parse(place)[key], document);
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: ref, ...own } = node.parse(value);
    if (typeof ref === 'string') return { ...node.parse(within(at(ref))), ...own };
    return Object.fromEntries(Object.entries(node.parse(value)).map(([key, inner]) => [key, within(inner)]));
  };
  return within(document);
}
