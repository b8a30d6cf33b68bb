type Fields = Readonly<Record<string, string | bigint | boolean | undefined>>;

/** Returns one text for each field whose value differs from that of `source`: "has shopId A, but its bill has B". */
export const fieldDifferences = (own: Fields, expected: Fields, source: string): readonly string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(own)])]
    .filter((name) => own[name] !== expected[name])
    .map((name) => `has ${name} ${shown(own[name])}, but ${source} has ${shown(expected[name])}`);

const shown = (value: Fields[string]): string => (value === undefined ? 'none' : `"${value}"`);
