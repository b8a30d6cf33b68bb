import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { compareText } from '../../../lib/seal/canonical.ts';
import { type Table, tableIndexes, tableSchema } from '../../../lib/store/table.ts';

type Item = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string };

/** A table in memory that is only read, with what the audit asks of one, for hundreds of audits. Other requests throw. */
export function memoryTable(items: readonly Item[]): Table {
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  // A query begins with the equality of its partition key: the items of each partition are looked up, as there may be many.
  const partitions = new Map<string, ReadonlyMap<string, readonly Item[]>>();
  const partitionOf = ({ IndexName, ExpressionAttributeValues = {} }: QueryCommandInput) => {
    const attribute = keysOf(IndexName).partitionKey;
    const grouped = partitions.get(attribute) ?? Map.groupBy(items, (item) => String(item[attribute]));
    partitions.set(attribute, grouped);
    return Object.values(ExpressionAttributeValues).flatMap((value) => grouped.get(String(value)) ?? []);
  };
  const answer = (command: unknown): unknown => {
    if (command instanceof ScanCommand) {
      const { Segment = 0, FilterExpression, ...terms } = command.input;
      const found = FilterExpression === undefined ? items : allThat(items, FilterExpression, terms);
      return { Items: Segment === 0 ? found : [] };
    }
    if (command instanceof GetCommand) return { Item: byKey.get(keyText(command.input.Key ?? {})) };
    if (command instanceof BatchGetCommand) {
      const [[table, { Keys = [] }] = ['', {}]] = Object.entries(command.input.RequestItems ?? {});
      return { Responses: { [table]: Keys.flatMap((key) => byKey.get(keyText(key)) ?? []) } };
    }
    if (command instanceof QueryCommand)
      return pageOf(queried(partitionOf(command.input), command.input), command.input);
    throw new Error(`The table in memory answers no ${String(command)}`);
  };
  const client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: unknown) => answer(command),
  });
  return { client, name: 'memory', backOff: () => async () => false };
}

const keyText = ({ PK, SK }: Readonly<Record<string, unknown>>): string => `${String(PK)} ${String(SK)}`;

function pageOf(found: readonly Item[], { Limit, ExclusiveStartKey }: QueryCommandInput) {
  const after = ExclusiveStartKey && keyText(ExclusiveStartKey);
  const from = found.findIndex((item) => keyText(item) === after) + 1;
  const page = found.slice(from, Limit === undefined ? undefined : from + Limit);
  const last = page.at(-1);
  return {
    Items: page,
    ...(last && from + page.length < found.length && { LastEvaluatedKey: { PK: last.PK, SK: last.SK } }),
  };
}

const keysOf = (IndexName: string | undefined): Readonly<Record<'partitionKey' | 'sortKey', string>> =>
  tableIndexes.find(({ name }) => name === IndexName) ?? tableSchema;

function queried(items: readonly Item[], query: QueryCommandInput): readonly Item[] {
  const { IndexName, KeyConditionExpression = '', ScanIndexForward = true, FilterExpression } = query;
  if (FilterExpression !== undefined) throw new Error(`A filter in memory: ${FilterExpression}`);
  const { sortKey } = keysOf(IndexName);
  const found = allThat(items, KeyConditionExpression, query).toSorted((one, other) =>
    compare(one[sortKey], other[sortKey]),
  );
  return ScanIndexForward ? found : found.toReversed();
}

type Given = Pick<QueryCommandInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** The items for which all conditions of the expression hold. */
function allThat(items: readonly Item[], expression: string, given: Given): readonly Item[] {
  const names: Readonly<Record<string, string>> = given.ExpressionAttributeNames ?? {};
  const values: Readonly<Record<string, unknown>> = given.ExpressionAttributeValues ?? {};
  const conditions = expression.replace(/ AND (:\w+)/, ' to $1').split(' AND ');
  return items.filter((item) => conditions.every((condition) => holds(item, condition, { names, values })));
}

type Terms = {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Whether the condition on one attribute holds: `a = :a`, `a <= :a`, `a BETWEEN :a to :b`, `begins_with(a, :a)`. */
function holds(item: Item, condition: string, { names, values }: Terms): boolean {
  const [, begun, prefix = ''] = /^begins_with\((\S+), (:\w+)\)$/.exec(condition) ?? [];
  if (begun !== undefined) return String(item[names[begun] ?? begun]).startsWith(String(values[prefix]));
  const [, name = '', operator = '', first = '', last = ''] =
    /^(\S+) (=|<=|<|>=|>|BETWEEN) (:\w+)(?: to (:\w+))?$/.exec(condition) ?? [];
  const value = item[names[name] ?? name];
  if (value === undefined) return false;
  const is = compare(value, values[first]);
  switch (operator) {
    case '=':
      return is === 0;
    case '<=':
      return is <= 0;
    case '<':
      return is < 0;
    case '>=':
      return is >= 0;
    case '>':
      return is > 0;
    case 'BETWEEN':
      return is >= 0 && compare(value, values[last]) <= 0;
    default:
      throw new Error(`A condition in memory: ${condition}`);
  }
}

const compare = (one: unknown, other: unknown): number => compareText(String(one), String(other));
