import { assign, assignChanges } from './assign.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Optimistic locking by value: changes attributes of an item on condition that those in `seen` are unchanged; `undefined`
 * means absent. For records without states, where a change of other attributes is not a conflict. Items with states are
 * locked by their state instead (README.md).
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
