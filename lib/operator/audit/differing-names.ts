type Fields = Readonly<Record<string, unknown>>;

/** Returns the names under which two records have different values, in the order of `expected`. An absent value is undefined. */
export const differingNames = (stored: Fields, expected: Fields): readonly string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(stored)])].filter(
    (name) => textOf(stored[name]) !== textOf(expected[name]),
  );

/** Equal for equal values, whatever the order of an object's names. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (typeof each === 'object' && each !== null && !Array.isArray(each))
      return Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    return each;
  }) ?? '';
