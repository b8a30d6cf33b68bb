import * as z from 'zod/mini';
import type { Call } from './policy.ts';

/** Maps the names in a request to ARNs of the template, in the form of `plain`. */
export type Arns = {
  readonly table: (name: string) => string;
  /** The name of the table's partition key. */
  readonly partitionKey: (table: string) => string;
  readonly queue: (url: string) => string;
  readonly secret: (nameOrArn: string) => string;
  readonly function: (name: string) => string;
  /** All KMS keys. A request does not always name its key, so each key is one alternative. */
  readonly keys: readonly string[];
};

/**
 * Returns the calls that IAM authorizes for a request to DynamoDB, SQS, KMS or Secrets Manager, given its `X-Amz-Target`
 * and JSON body, or for `lambdaTarget` with the function's name. The request is allowed if in each group at least one call
 * is allowed. Throws for an unknown service or an unexpected body.
 */
export function callsOf(target: string, body: unknown, arns: Arns): readonly (readonly Call[])[] {
  const [service = '', operation = ''] = target.split('.');
  const callsOfService = services[service.replace(/_\d+$/, '')];
  if (!callsOfService) throw new Error(`The rights that ${target} needs are unknown to the local runner.`);
  return callsOfService(operation, body, arns);
}

/** Stands for `X-Amz-Target`, which Lambda's protocol does not have: `Invoke` is a path. */
export const lambdaTarget = 'Lambda.InvokeFunction';

type CallsOf = (operation: string, body: unknown, arns: Arns) => readonly (readonly Call[])[];

const services: Readonly<Record<string, CallsOf>> = {
  DynamoDB: (operation, body, arns) => dynamoCalls(operation, body, arns).map((call) => [call]),
  AmazonSQS: (operation, body, arns) => {
    const named = operation === 'GetQueueUrl' ? 'QueueName' : 'QueueUrl';
    const queue = z.record(z.string(), z.unknown()).parse(body)[named];
    return [[{ action: `sqs:${operation}`, resource: arns.queue(z.string().parse(queue)) }]];
  },
  TrentService: (operation, body, { keys }) => {
    const { EncryptionContext, SourceEncryptionContext, DestinationEncryptionContext } = contexts.parse(body);
    const on = (action: string, context: Readonly<Record<string, string>> = {}): readonly Call[] => {
      const given = Object.entries(context).map(([key, value]) => [`kms:EncryptionContext:${key}`, [value]]);
      return keys.map((resource) => ({
        action: `kms:${action}`,
        resource,
        context: Object.fromEntries(given),
      }));
    };
    if (operation !== 'ReEncrypt') return [on(operation, EncryptionContext)];
    return [on('ReEncryptFrom', SourceEncryptionContext), on('ReEncryptTo', DestinationEncryptionContext)];
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
const contexts = z.object({
  EncryptionContext: z.optional(texts),
  SourceEncryptionContext: z.optional(texts),
  DestinationEncryptionContext: z.optional(texts),
});
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

/** An operation in a transaction is authorized as the single operation, with the transaction as enclosing operation. */
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

/** Returns the partition key's value in an item or a key. */
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

/** Returns every attribute that a single-item request names: in its key or item, by a placeholder, or directly. */
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

/** The single operation, and so the right, that each kind of transaction item needs. */
const inTransaction: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** For an index, the leading key is the index's own partition key. */
function queryCall(body: unknown, arns: Arns): Call {
  const { TableName, IndexName, ...expression } = query.parse(body);
  const resource = arns.table(TableName) + (IndexName ? `/index/${IndexName}` : '');
  return onItems('Query', resource, [leadingKey(expression)]);
}

/** A scan has no leading key, so only a statement without a condition on keys allows it. */
function scanCall(body: unknown, arns: Arns): Call {
  const { TableName, IndexName } = z
    .object({ TableName: z.string(), IndexName: z.optional(z.string()) })
    .parse(body);
  return {
    action: 'dynamodb:Scan',
    resource: arns.table(TableName) + (IndexName ? `/index/${IndexName}` : ''),
  };
}

/** Returns the partition key's value, which is the only one that a query compares for equality. */
function leadingKey(expression: Omit<z.infer<typeof query>, 'TableName' | 'IndexName'>): string {
  const [, placeholder = ''] = /=\s*(:\w+)/.exec(expression.KeyConditionExpression) ?? [];
  return text.parse(expression.ExpressionAttributeValues[placeholder]).S;
}
