import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { tableSchema } from '../../lib/store/table.ts';
import { onItems } from './rights.ts';
import type { SharedResources } from './shared-resources.ts';

/** The key that IAM compares with who calls: what follows the word is the caller's own `aws:userid`. */
const own = (noun: string): string => `${noun}#\${aws:userid}`;

/**
 * A session of a role alone has an identity that a trust policy can pin: the name in that of `GetFederationToken` is its
 * caller's to choose, and a user of IAM may be a second one of the same person.
 */
const ofARole = { StringEquals: { 'aws:PrincipalType': 'AssumedRole' } };

/** All that sending a postback once more touches: never what it says, which the service signs (lib/store/events.ts). */
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

/** What operators set themselves; all of it is recorded under their own key. */
const settings = ['M', 'T', 'S', 'AUTO', 'EP', 'RATES'];
const patternOf = (noun: string): string => (noun === 'RATES' ? noun : `${noun}#*`);

/**
 * The two managed policies for people (docs/security.md). An operator sets things and decides, an approver agrees to what
 * takes two; each writes decisions under their own identity only, and neither writes what a decision then does:
 * `carry-out` alone does. Each denies the other's decisions, so that whoever has both can decide nothing at all.
 */
export function addPeoplePolicies(scope: Construct, shared: SharedResources, carryOut: LambdaFunction): void {
  const { table, names } = shared;
  const common = [
    new PolicyStatement({
      actions: ['GetItem', 'BatchGetItem', 'Query', 'Scan'].map((action) => `dynamodb:${action}`),
      resources: [
        table.tableArn,
        ...[tableSchema.work, tableSchema.timeline].map(({ name }) => `${table.tableArn}/index/${name}`),
      ],
    }),
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [carryOut.functionArn] }),
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
    description: 'Sets things and decides; what takes two people waits for an approver.',
    statements: [
      ...common,
      ...allow(['PutItem'], [own('OPERATOR'), own('CHANGE')], ofARole),
      ...allow(['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], settings.map(patternOf)),
      ...allow(['UpdateItem'], ['E#*'], replayed),
      // `account forget`: the key of a known account has two parts, that of a payout one.
      ...allow(['DeleteItem'], ['G#*#*']),
      deny('APPROVER'),
      ...keysAndQueues(shared),
    ],
  });
  new ManagedPolicy(scope, 'ApproverPolicy', {
    managedPolicyName: names.policy('approver'),
    description: 'Agrees to what takes two people, or rejects it.',
    statements: [...common, ...allow(['PutItem'], [own('APPROVER')], ofARole), deny('OPERATOR')],
  });
}

const writes = [
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'PartiQLInsert',
  'PartiQLUpdate',
  'PartiQLDelete',
];

/** New tokens, secrets and accounts are sealed; a postback that is sent again is queued; the pages' secret is replaced. */
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
