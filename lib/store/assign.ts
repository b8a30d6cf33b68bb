type Assignment = {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  /** Absent when nothing is set: DynamoDB rejects an empty record. */
  readonly ExpressionAttributeValues?: Record<string, unknown>;
};

/**
 * Returns an update expression that sets and removes attributes. Each name has the alias `#name`, because many are
 * reserved words; each value has the alias `:name`.
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

/** Returns the update expression of `changes`: `undefined` removes the attribute, a Date is written as ISO text. */
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
