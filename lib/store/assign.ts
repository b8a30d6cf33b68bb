type Assignment = {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  /** Absent when nothing is set: an empty record is refused by the store. */
  readonly ExpressionAttributeValues?: Record<string, unknown>;
};

/**
 * The update that gives attributes new values and takes others away. Each name is aliased as `#name`, for many are
 * reserved words; each value is `:name`.
 */
export function assign(set: Readonly<Record<string, unknown>>, remove: readonly string[] = []): Assignment {
  const values = Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value]));
  const names = [...Object.keys(set), ...remove].map((name) => [`#${name}`, name] as const);
  return {
    UpdateExpression: [
      ...clause(
        'SET',
        Object.keys(set).map((name) => `#${name} = :${name}`),
      ),
      ...clause(
        'REMOVE',
        remove.map((name) => `#${name}`),
      ),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(names),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const clause = (word: string, parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [] : [`${word} ${parts.join(', ')}`];

/** What gets a value and what is taken away: a change to `undefined` removes. Moments become text. */
export function assignChanges(changes: Readonly<Record<string, unknown>>): Assignment {
  const entries = Object.entries(changes).map(
    ([name, value]) => [name, value instanceof Date ? value.toISOString() : value] as const,
  );
  const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return assign(
    set,
    entries.filter(([, value]) => value === undefined).map(([name]) => name),
  );
}
