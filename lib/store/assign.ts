type Assignment = {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
};

/**
 * The update that gives attributes new values and takes others away. Each name is aliased as `#name`, for many are
 * reserved words; each value is `:name`.
 */
export function assign(set: Readonly<Record<string, unknown>>, remove: readonly string[] = []): Assignment {
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  const removal = remove.length === 0 ? '' : ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}`;
  return {
    UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
    ExpressionAttributeNames: Object.fromEntries(
      [...Object.keys(set), ...remove].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(set).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}
