import { assign, assignChanges } from './assign.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Optimistic locking by value: changes attributes of an item while those in `seen` are what was read; `undefined` is for one
 * that was absent. For records without states, where an unrelated change need not be a conflict. What moves from state
 * to state is locked by its state instead (README.md).
 */
export function updateAsRead<Refusal extends string>(
  { name: TableName }: Pick<Table, 'name'>,
  key: Readonly<Record<string, string>>,
  seen: Fields,
  changes: Fields,
  onConditionFailed: Refusal,
): TransactionStep<Refusal> {
  const change = assignChanges(changes);
  const present = Object.entries(seen).filter(([, value]) => value !== undefined);
  const conditions = Object.entries(seen).map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :seen_${name}`,
  );
  return {
    write: {
      Update: {
        TableName,
        Key: key,
        ...change,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: {
          ...change.ExpressionAttributeNames,
          ...assign(seen).ExpressionAttributeNames,
        },
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ...Object.fromEntries(present.map(([name, value]) => [`:seen_${name}`, value])),
        },
      },
    },
    onConditionFailed,
  };
}
