import * as z from 'zod/mini';
import type { Call } from './policy.ts';

/** The parts of a template that a request names, as `plain` writes their ARNs. */
export type Arns = {
  readonly table: (name: string) => string;
  /** The attribute that is the table's partition key. */
  readonly partitionKey: (table: string) => string;
  readonly queue: (url: string) => string;
  readonly secret: (nameOrArn: string) => string;
  readonly function: (name: string) => string;
  /** A ciphertext does not say which key it was made with, so a call is put for each. */
  readonly keys: readonly string[];
};

/**
 * What IAM is asked when a request arrives: `X-Amz-Target` and the JSON body of DynamoDB, SQS, KMS and Secrets
 * Manager, and `lambdaTarget` with the function's name. Each group is one question, and one allowed call answers it.
 */
export function callsOf(target: string, body: unknown, arns: Arns): readonly (readonly Call[])[] {
  const [service = '', operation = ''] = target.split('.');
  const ask = services[service.replace(/_\d+$/, '')];
  if (!ask) throw new Error(`It is not known here what rights ${target} needs.`);
  return ask(operation, body, arns);
}

/** Lambda's protocol has no `X-Amz-Target`: `Invoke` is a path. */
export const lambdaTarget = 'Lambda.InvokeFunction';

type Ask = (operation: string, body: unknown, arns: Arns) => readonly (readonly Call[])[];

const services: Readonly<Record<string, Ask>> = {
  DynamoDB: (operation, body, arns) => dynamoCalls(operation, body, arns).map((call) => [call]),
  AmazonSQS: (operation, body, arns) => {
    const named = operation === 'GetQueueUrl' ? 'QueueName' : 'QueueUrl';
    const queue = z.record(z.string(), z.unknown()).parse(body)[named];
    return [[{ action: `sqs:${operation}`, resource: arns.queue(z.string().parse(queue)) }]];
  },
  TrentService: (operation, body, { keys }) => {
    const { EncryptionContext = {} } = z.object({ EncryptionContext: z.optional(texts) }).parse(body);
    const given = Object.entries(EncryptionContext).map(([key, value]) => [
      `kms:EncryptionContext:${key}`,
      [value],
    ]);
    return [
      keys.map((resource) => ({ action: `kms:${operation}`, resource, context: Object.fromEntries(given) })),
    ];
  },
  secretsmanager: (operation, body, arns) => {
    const { SecretId } = z.object({ SecretId: z.string() }).parse(body);
    return [[{ action: `secretsmanager:${operation}`, resource: arns.secret(SecretId) }]];
  },
  Lambda: (operation, body, arns) => {
    const { FunctionName } = z.object({ FunctionName: z.string() }).parse(body);
    return [[{ action: `lambda:${operation}`, resource: arns.function(FunctionName) }]];
  },
};

const texts = z.record(z.string(), z.string());
const attributes = z.record(z.string(), z.unknown());
const byKey = z.object({ TableName: z.string(), Key: attributes });
const byItem = z.object({ TableName: z.string(), Item: attributes });
const query = z.object({
  TableName: z.string(),
  IndexName: z.optional(z.string()),
  KeyConditionExpression: z.string(),
  ExpressionAttributeNames: z.optional(texts),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()),
});
const batchGet = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(attributes) })),
});
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });

const onItems = (operation: string, table: string, keys: readonly string[]): Call => ({
  action: `dynamodb:${operation}`,
  resource: table,
  context: { 'dynamodb:LeadingKeys': keys },
});

/** A step of a transaction is asked about as the operation that it stands for, with the transaction's name. */
const enclosedIn = (name: string, call: Call): Call => ({
  ...call,
  context: { ...call.context, 'dynamodb:EnclosingOperation': [name] },
});

function dynamoCalls(operation: string, body: unknown, arns: Arns): readonly Call[] {
  if (operation === 'Query') return [queryCall(body, arns)];
  if (operation === 'Scan') return [scanCall(body, arns)];
  if (operation === 'BatchGetItem') {
    return Object.entries(batchGet.parse(body).RequestItems).map(([table, { Keys }]) =>
      onItems(
        operation,
        arns.table(table),
        Keys.map((key) => keyIn(key, table, arns)),
      ),
    );
  }
  if (operation.startsWith('Transact')) {
    const steps = transaction.parse(body).TransactItems.flatMap((step) => Object.entries(step));
    return steps
      .flatMap(([kind, step]) => dynamoCalls(inTransaction[kind] ?? kind, step, arns))
      .map((call) => enclosedIn(operation, call));
  }
  const { TableName, ...item } = operation === 'PutItem' ? byItem.parse(body) : byKey.parse(body);
  const key = keyIn('Item' in item ? item.Item : item.Key, TableName, arns);
  const { context, ...call } = onItems(operation, arns.table(TableName), [key]);
  return [{ ...call, context: { ...context, 'dynamodb:Attributes': attributesIn(body) } }];
}

const text = z.object({ S: z.string() });

/** The partition key of an item or of its key. */
const keyIn = (item: z.infer<typeof attributes>, table: string, { partitionKey }: Arns): string =>
  text.parse(item[partitionKey(table)]).S;

const itemRequest = z.object({
  Key: z.optional(z.record(z.string(), z.unknown())),
  Item: z.optional(z.record(z.string(), z.unknown())),
  ExpressionAttributeNames: z.optional(texts),
  UpdateExpression: z.optional(z.string()),
  ConditionExpression: z.optional(z.string()),
  ProjectionExpression: z.optional(z.string()),
});
const keywords = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** Every attribute that a request about one item names: in its key or item, by a placeholder, or by its name itself. */
function attributesIn(body: unknown): readonly string[] {
  const { Key = {}, Item = {}, ExpressionAttributeNames = {}, ...expressions } = itemRequest.parse(body);
  const bare = Object.values(expressions)
    .flatMap((expression) => (expression ?? '').match(/(?<![:#.\w])[A-Za-z_]\w*(?![\w(])(?!\s*\()/g) ?? [])
    .filter((word) => !keywords.has(word.toUpperCase()));
  return [
    ...new Set([
      ...Object.keys(Key),
      ...Object.keys(Item),
      ...Object.values(ExpressionAttributeNames),
      ...bare,
    ]),
  ];
}

/** The steps of a transaction need the rights of the operations that they stand for. */
const inTransaction: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The leading key of an index is the index's own partition key. */
function queryCall(body: unknown, arns: Arns): Call {
  const { TableName, IndexName, ...expression } = query.parse(body);
  const resource = arns.table(TableName) + (IndexName ? `/index/${IndexName}` : '');
  return onItems('Query', resource, [leadingKey(expression)]);
}

/** A scan names no key, so only a statement without a condition on keys allows it. */
function scanCall(body: unknown, arns: Arns): Call {
  const { TableName, IndexName } = z
    .object({ TableName: z.string(), IndexName: z.optional(z.string()) })
    .parse(body);
  return {
    action: 'dynamodb:Scan',
    resource: arns.table(TableName) + (IndexName ? `/index/${IndexName}` : ''),
  };
}

/** A query compares its partition key, and only that, for equality. */
function leadingKey(expression: Omit<z.infer<typeof query>, 'TableName' | 'IndexName'>): string {
  const [, placeholder = ''] = /=\s*(:\w+)/.exec(expression.KeyConditionExpression) ?? [];
  return text.parse(expression.ExpressionAttributeValues[placeholder]).S;
}
