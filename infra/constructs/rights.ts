import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { tableIndexes, tableSchema } from '../../lib/store/table.ts';
import { appendOnly, type Noun, type Rights, type SealedUse, secretsOf } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';

/** Returns the role statements that grant exactly `rights`. */
export const statementsFor = (rights: Rights, shared: SharedResources): readonly PolicyStatement[] => [
  ...tableStatements(rights, shared.table),
  ...sandboxStatements(rights, shared.sandboxTable),
  ...queueStatements(rights, shared),
  ...sealStatements(rights, shared),
  ...secretStatements(rights, shared),
  ...archiveStatements(rights, shared),
];

const leadingKeys = 'dynamodb:LeadingKeys';
const enclosingOperation = 'dynamodb:EnclosingOperation';
const journal = ['J#*', 'CHANGE#*'];
const written = appendOnly.map((noun) => `${noun}#*`);
const notPuts = [
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'PartiQLInsert',
  'PartiQLUpdate',
  'PartiQLDelete',
];

/**
 * Denies changes to the append-only items. A journal entry is put only in a transaction, together with the write that it
 * accounts for; nobody updates or deletes entries or decisions. IAM does not see the condition of a put: the store makes
 * sure that the key is new (`putEntry`).
 */
export function journalIsImmutable(
  where: Pick<PolicyStatementProps, 'principals' | 'resources'>,
): PolicyStatement[] {
  const deny = (
    actions: readonly string[],
    keys: readonly string[],
    conditions: PolicyStatementProps['conditions'] = {},
  ) =>
    new PolicyStatement({
      ...where,
      effect: Effect.DENY,
      actions: actions.map((action) => `dynamodb:${action}`),
      conditions: { 'ForAnyValue:StringLike': { [leadingKeys]: keys }, ...conditions },
    });
  return [
    deny(notPuts, written),
    // Also true without the condition key: a single put has no enclosing operation.
    deny(['PutItem'], journal, {
      'ForAllValues:StringNotEquals': { [enclosingOperation]: 'TransactWriteItems' },
    }),
  ];
}

const keyPattern = (noun: Noun): string => (noun === 'RATES' ? noun : `${noun}#*`);

/** Allows the actions on items with these keys. `ForAllValues` is also true for a call without keys, so `Null` requires them. */
export function onItems(
  actions: readonly string[],
  keys: readonly string[],
  resource: string,
  more: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {},
): PolicyStatement[] {
  if (keys.length === 0) return [];
  const statement = new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [resource],
    conditions: {
      ...more,
      'ForAllValues:StringLike': { [leadingKeys]: keys },
      Null: { ...more['Null'], [leadingKeys]: 'false' },
    },
  });
  return [statement];
}

function tableStatements(rights: Rights, table: Table): PolicyStatement[] {
  const { reads = [], puts = [], updates = [], checks = [], lists = [], listed = [] } = rights;
  const { readsAll, timelines, providers = [], accounts = [] } = rights;
  // The moderation list has no shards.
  const due = lists.map((list) => (list === 'MOD' ? 'W#MOD' : `W#${list}#*`));
  const on = (actions: readonly string[], nouns: readonly Noun[]) =>
    onItems(actions, nouns.map(keyPattern), table.tableArn);
  const allowed = [
    ...on(['GetItem', 'BatchGetItem', 'Query'], reads),
    ...(readsAll ? [readingAll(table)] : []),
    ...on(['PutItem'], puts),
    // Whoever calls a provider counts its calls.
    ...on(['UpdateItem'], providers.length + accounts.length > 0 ? [...updates, 'CALLS'] : updates),
    ...on(['ConditionCheckItem'], checks),
    ...onItems(['Query'], due, `${table.tableArn}/index/${tableSchema.work.name}`),
    ...onItems(
      ['Query'],
      listed.map((kind) => `LIST#${kind}#*`),
      `${table.tableArn}/index/${tableSchema.list.name}`,
    ),
    ...onItems(['Query'], timelines ? ['L#*'] : [], `${table.tableArn}/index/${tableSchema.timeline.name}`),
  ];
  return allowed.length === 0 ? [] : [...allowed, ...journalIsImmutable({ resources: [table.tableArn] })];
}

/** A scan names no key, so its statement can have no condition on keys. */
const readingAll = ({ tableArn }: Table): PolicyStatement =>
  new PolicyStatement({
    actions: ['GetItem', 'BatchGetItem', 'Query', 'Scan'].map((action) => `dynamodb:${action}`),
    resources: [tableArn, ...tableIndexes.map(({ name }) => `${tableArn}/index/${name}`)],
  });

function sandboxStatements({ sandboxTable }: Rights, table: Table | undefined): PolicyStatement[] {
  if (!sandboxTable || !table) return [];
  const actions = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'];
  return [
    new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn],
    }),
  ];
}

function queueStatements(
  { sends = [], measures = [] }: Rights,
  { queues }: SharedResources,
): PolicyStatement[] {
  const on = (action: string, names: typeof sends) =>
    names.map((name) => new PolicyStatement({ actions: [action], resources: [queues[name].queueArn] }));
  return [...on('sqs:SendMessage', sends), ...on('sqs:GetQueueAttributes', measures)];
}

function archiveStatements({ archivesSeals }: Rights, { sealBucket }: SharedResources): PolicyStatement[] {
  if (!archivesSeals || !sealBucket) return [];
  return [new PolicyStatement({ actions: ['s3:PutObject'], resources: [sealBucket.arnForObjects('*')] })];
}

const ofPeople: readonly SealedUse[] = ['payout-destination', 'postback-phone', 'payer-contact'];

/** The KMS key for a use: `tokens` for merchants' secrets, `destinations` for payout destinations, their phones and payers' contacts. */
export const keyOf = (use: SealedUse): 'tokens' | 'destinations' =>
  ofPeople.includes(use) ? 'destinations' : 'tokens';

function sealStatements(
  { seals = [], opens = [], reseals = [] }: Rights,
  { keys }: SharedResources,
): PolicyStatement[] {
  const on = (action: string, uses: readonly SealedUse[]) =>
    uses.map(
      (use) =>
        new PolicyStatement({
          actions: [action],
          resources: [keys[keyOf(use)].keyArn],
          conditions: { StringEquals: { 'kms:EncryptionContext:use': use } },
        }),
    );
  return [
    ...on('kms:Encrypt', seals),
    ...on('kms:Decrypt', opens),
    // KMS authorizes a re-encryption twice, each time with the context of that side.
    ...on(
      'kms:ReEncryptFrom',
      reseals.map(({ from }) => from),
    ),
    ...on(
      'kms:ReEncryptTo',
      reseals.map(({ to }) => to),
    ),
  ];
}

function secretStatements(rights: Rights, { secrets, environment }: SharedResources): PolicyStatement[] {
  const readable = secretsOf(rights, environment);
  return Object.entries(secrets)
    .filter(([name]) => readable.has(name))
    .map(
      ([, { secretArn }]) =>
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }),
    );
}
