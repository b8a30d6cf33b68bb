import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { tableIndexes, tableSchema } from '../../lib/store/table.ts';
import { onItems } from './rights.ts';
import type { SharedResources } from './shared-resources.ts';

/** A partition key that ends in the caller's `aws:userid`, which IAM fills in. */
const own = (noun: string): string => `${noun}#\${aws:userid}`;

/**
 * Role sessions only: a trust policy can fix their session name. With `GetFederationToken` the caller chooses the name, and
 * one person may have several IAM users.
 */
const ofARole = { StringEquals: { 'aws:PrincipalType': 'AssumedRole' } };

/** The attributes that replaying a postback changes. Its payload, which the service signs, is not among them (lib/store/events.ts). */
const replayed = {
  'ForAllValues:StringEquals': {
    'dynamodb:Attributes': [
      tableSchema.partitionKey,
      tableSchema.sortKey,
      tableSchema.timeToLive,
      tableSchema.work.partitionKey,
      tableSchema.work.sortKey,
      'state',
      'tries',
      'attempts',
      'nextAt',
      'leaseUntil',
      'underWay',
    ],
  },
  Null: { 'dynamodb:Attributes': 'false' },
};

/** The attributes that `migrate` gives to items of earlier versions: their keys of the index of lists. */
const migrated = {
  'ForAllValues:StringEquals': {
    'dynamodb:Attributes': [
      tableSchema.partitionKey,
      tableSchema.sortKey,
      tableSchema.list.partitionKey,
      tableSchema.list.sortKey,
    ],
  },
  Null: { 'dynamodb:Attributes': 'false' },
};

/** Items that operators write themselves. Each change is recorded under the operator's own key. */
const settings = ['M', 'T', 'S', 'AUTO', 'EP', 'RATES'];
const patternOf = (noun: string): string => (noun === 'RATES' ? noun : `${noun}#*`);

/**
 * Adds the two managed policies for people (docs/security.md). An operator changes settings and decides; an approver
 * confirms decisions that take two people. Each records decisions under their own identity only. The effects of a decision
 * are written by the `carry-out` function alone. Each policy denies the other's decisions, so that a person with both can
 * record none.
 */
export function addPeoplePolicies(
  scope: Construct,
  shared: SharedResources,
  functions: ReadonlyMap<string, LambdaFunction>,
): void {
  const { table, names } = shared;
  const common = [
    new PolicyStatement({
      actions: ['GetItem', 'BatchGetItem', 'Query', 'Scan'].map((action) => `dynamodb:${action}`),
      resources: [table.tableArn, ...tableIndexes.map(({ name }) => `${table.tableArn}/index/${name}`)],
    }),
    ...invoking(functions, 'carry-out'),
  ];
  const allow = (actions: readonly string[], keys: readonly string[], more?: Parameters<typeof onItems>[3]) =>
    onItems(actions, keys, table.tableArn, more);
  const deny = (noun: string) =>
    new PolicyStatement({
      effect: Effect.DENY,
      actions: writes.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn],
      conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [`${noun}#*`] } },
    });
  new ManagedPolicy(scope, 'OperatorPolicy', {
    managedPolicyName: names.policy('operator'),
    // Never change a description: CloudFormation would replace the policy, and its name is taken until then.
    description: 'Sets things and decides; what takes two people waits for an approver.',
    statements: [
      ...common,
      ...allow(['PutItem'], [own('OPERATOR'), own('CHANGE')], ofARole),
      ...allow(['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], settings.map(patternOf)),
      ...allow(['UpdateItem'], ['E#*'], replayed),
      // `migrate`: also the places of bills under their orders, and how far it is.
      ...allow(['UpdateItem'], ['B#*', 'G#*', 'E#*'], migrated),
      ...allow(['PutItem'], ['OL#*', 'MIGRATION#*']),
      // `account forget`: a known account's key has two parts after `G`, a payout's has one.
      ...allow(['DeleteItem'], ['G#*#*']),
      deny('APPROVER'),
      ...invoking(functions, 'payout-banks', 'provider-check', 'reconcile'),
      ...keysAndQueues(shared),
    ],
  });
  new ManagedPolicy(scope, 'ApproverPolicy', {
    managedPolicyName: names.policy('approver'),
    description: 'Agrees to what takes two people, or rejects it.',
    statements: [...common, ...allow(['PutItem'], [own('APPROVER')], ofARole), deny('OPERATOR')],
  });
}

const invoking = (
  functions: ReadonlyMap<string, LambdaFunction>,
  ...names: readonly string[]
): readonly PolicyStatement[] => {
  const resources = names.flatMap((name) => functions.get(name)?.functionArn ?? []);
  return resources.length === 0
    ? []
    : [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources })];
};

const writes = [
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'PartiQLInsert',
  'PartiQLUpdate',
  'PartiQLDelete',
];

/** Sealing new tokens, secrets and accounts; queueing a replayed postback; replacing the payer pages' secret. */
function keysAndQueues({ keys, queues, secrets }: SharedResources): readonly PolicyStatement[] {
  const seal = (keyArn: string, use: string) =>
    new PolicyStatement({
      actions: ['kms:Encrypt'],
      resources: [keyArn],
      conditions: { StringEquals: { 'kms:EncryptionContext:use': use } },
    });
  return [
    seal(keys.tokens.keyArn, 'api-token'),
    seal(keys.tokens.keyArn, 'webhook-secret'),
    seal(keys.destinations.keyArn, 'payout-destination'),
    new PolicyStatement({
      actions: ['sqs:SendMessage', 'sqs:GetQueueUrl'],
      resources: [queues.postbacks.queueArn],
    }),
    new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secrets.fingerprint.secretArn],
    }),
    new PolicyStatement({ actions: ['secretsmanager:PutSecretValue'], resources: [secrets.page.secretArn] }),
  ];
}
