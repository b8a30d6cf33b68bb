import { describe, expect, it } from 'vitest';
import { functions, nouns } from '../../infra/functions.ts';
import { sealingDelayMs } from '../../lib/seal/sealed-day.ts';
import {
  allows,
  type Call,
  documentStatements,
  plain,
  type Statement,
  statementsOf,
} from '../../infra/local/rights/policy.ts';
import { isRecord } from '../../infra/local/template/is-record.ts';
import { acquirerOnly, allFunctions, at, listAt, ofType, templateOf, variablesOf } from './template.ts';

const template = templateOf('local');

/** A key of each noun. */
const items = nouns.map((noun) => (noun === 'RATES' ? noun : `${noun}#1`));
const changes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate'];
const tables = new Map(ofType(template, 'AWS::DynamoDB::Table').map((one) => [at(one, 'TableName'), one]));
const tableArn = `${tables.get('paylink-local')?.id}.Arn`;
const sandboxTableArn = `${tables.get('paylink-local-sandbox')?.id}.Arn`;
const statements = new Map(
  allFunctions.map((name) => [name, statementsOf(template, `paylink-local-fn-${name}`)] as const),
);

const onItem = (action: string, key: string, resource: string = tableArn): Call => ({
  action: `dynamodb:${action}`,
  resource,
  context: { 'dynamodb:LeadingKeys': [key] },
});
const inTransaction = (call: Call): Call => ({
  ...call,
  context: { ...call.context, 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
});
const may = (name: string, action: string, key: string, resource: string = tableArn): boolean =>
  allows(statements.get(name) ?? [], onItem(action, key, resource));
const mayInTransaction = (name: string, action: string, key: string): boolean =>
  allows(statements.get(name) ?? [], inTransaction(onItem(action, key)));
const mayUse = (name: string, action: string, resource: string, use?: string): boolean =>
  allows(statements.get(name) ?? [], {
    action,
    resource,
    context: use ? { 'kms:EncryptionContext:use': [use] } : {},
  });
/** The functions but the audit's, which reads the whole table and has tests of its own. */
const others = allFunctions.filter((name) => name !== 'audit');
const whoever = (test: (name: string) => boolean): readonly string[] => others.filter(test).sort();

const readers = [
  'authorizer',
  'bill-payments',
  'bill-search',
  'bill-status',
  'fallback',
  'link-page',
  'merchant-balance',
  'openapi',
  'payment-status',
  'payout-quote',
  'payment-search',
  'payout-sbp-banks',
  'payout-search',
  'payout-status',
  'postback-list',
  'redirect-page',
  'refund-search',
];

describe('the function that answers unknown paths', () => {
  it('may write its log, and nothing else', () => {
    const actions = (statements.get('fallback') ?? []).flatMap(({ Action }) => Action);
    expect(actions).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });
});

describe('the table', () => {
  it.each(readers)('%s can only read', (name) => {
    const can = items.flatMap((key) => changes.filter((action) => may(name, action, key)));
    expect(can).toEqual([]);
  });

  it.each(allFunctions)('%s can delete nothing and write no batch, and only the audit can scan', (name) => {
    const actions = ['DeleteItem', 'BatchWriteItem', 'PartiQLDelete', 'DeleteTable', 'UpdateTable'];
    for (const key of items) for (const action of actions) expect(may(name, action, key)).toBe(false);
    expect(may(name, 'Scan', 'J#payment')).toBe(name === 'audit');
  });

  it('can be read whole by the audit, which writes its results and the seals of the journal, and nothing else', () => {
    const written = items.filter((key) =>
      changes.some((action) => may('audit', action, key) || mayInTransaction('audit', action, key)),
    );
    expect(written.map((key) => key.split('#')[0])).toEqual(['AUDIT', 'SEAL']);
  });

  it('takes entries from functions that end long before their day is sealed', () => {
    const posting = Object.entries(functions).filter(([, { rights }]) => rights.puts?.includes('J'));
    expect(posting.length).toBeGreaterThan(5);
    const slowest = Math.max(...posting.map(([, { timeoutSeconds }]) => timeoutSeconds));
    expect(slowest * 1000 * 10).toBeLessThan(sealingDelayMs);
  });

  it('takes seals from the audit alone, which cannot change or remove one', () => {
    expect(whoever((name) => changes.some((action) => may(name, action, 'SEAL#1')))).toEqual([]);
    expect(changes.filter((action) => mayInTransaction('audit', action, 'SEAL#1'))).toEqual(['PutItem']);
  });

  it.each(allFunctions)('%s cannot change a journal entry, nor put one outside a transaction', (name) => {
    for (const action of changes) expect(may(name, action, 'J#payment'), action).toBe(false);
    for (const action of changes.filter((one) => one !== 'PutItem')) {
      expect(mayInTransaction(name, action, 'J#payment'), action).toBe(false);
    }
  });

  it('is listed by searches and the log of postbacks alone, each by its own kind', () => {
    const listing = (kind: string) =>
      whoever((name) => may(name, 'Query', `LIST#${kind}#merchant#202611#00`, `${tableArn}/index/LIST`));
    expect([listing('B'), listing('P'), listing('PO'), listing('R'), listing('E')]).toEqual([
      ['bill-search'],
      ['payment-search'],
      ['payout-search'],
      ['refund-search'],
      ['postback-list'],
    ]);
  });

  it('grants nothing on a call that names no key', () => {
    const keyless = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'];
    for (const name of others) {
      const own = statements.get(name) ?? [];
      const open = keyless.filter((action) =>
        allows(own, { action: `dynamodb:${action}`, resource: tableArn, context: {} }),
      );
      expect(open, name).toEqual([]);
    }
  });

  it('denies that to everybody else as well, whatever its role says', () => {
    const own = documentStatements(at(tables.get('paylink-local'), 'ResourcePolicy', 'PolicyDocument'));
    const allowAll: Statement = { Effect: 'Allow', Action: '*', Resource: '*' };
    const administrator = [allowAll, ...own];
    for (const action of [...changes, 'PartiQLDelete']) {
      expect(allows(administrator, onItem(action, 'J#payment')), action).toBe(false);
      expect(allows(administrator, onItem(action, 'B#bill')), action).toBe(true);
    }
    for (const action of ['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLUpdate', 'PartiQLDelete']) {
      expect(allows(administrator, onItem(action, 'OPERATOR#olga')), action).toBe(false);
      expect(allows(administrator, onItem(action, 'APPROVER#olga')), action).toBe(false);
    }
    expect(allows(administrator, inTransaction(onItem('PutItem', 'J#payment')))).toBe(true);
    expect(allows(administrator, inTransaction(onItem('UpdateItem', 'J#payment')))).toBe(false);
  });

  it('lets only the functions that move money write balances and the journal', () => {
    const movers = [
      'acquirer-notification',
      'carry-out',
      'pay-page',
      'pay-submit',
      'payment-check',
      'payout-auto',
      'payout-cancel',
      'payout-dispatch',
      'payout-personal-create',
      'payout-regular-create',
      'provider-notification',
      'refund-full-create',
      'refund-partial-create',
      'result-page',
    ];
    expect(whoever((name) => may(name, 'UpdateItem', 'BAL#1'))).toEqual(movers);
    expect(whoever((name) => mayInTransaction(name, 'PutItem', 'J#1'))).toEqual(movers);
    expect(whoever((name) => may(name, 'PutItem', 'BAL#1'))).toEqual([]);
  });

  it('lets no function change a merchant, a token or a shop: only the operator can', () => {
    for (const key of ['M#1', 'T#1', 'S#1', 'RATES']) {
      expect(whoever((name) => changes.some((action) => may(name, action, key)))).toEqual([]);
    }
  });

  it('lets only the daily function write the dictionary of SBP banks, and those read it that list or check a bank', () => {
    expect(whoever((name) => changes.some((action) => may(name, action, 'DICT#SBP')))).toEqual([
      'payout-banks',
    ]);
    const users = ['payout-banks', 'payout-quote', 'payout-regular-create', 'payout-sbp-banks'];
    expect(whoever((name) => may(name, 'GetItem', 'DICT#SBP'))).toEqual(users);
  });

  it('lets only the function that carries out decisions apply them', () => {
    const everything = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', ...changes];
    for (const key of ['ADJ#1', 'PR#1', 'CL#1', 'OPERATOR#1', 'APPROVER#1'])
      expect(whoever((name) => everything.some((action) => may(name, action, key)))).toEqual(['carry-out']);
    for (const key of ['OPERATOR#1', 'APPROVER#1'])
      expect(changes.filter((action) => may('carry-out', action, key))).toEqual([]);
    expect(whoever((name) => may(name, 'Query', 'W#ADJ', `${tableArn}/index/WORK`))).toEqual([]);
  });

  it('lets chargebacks be written only where the acquirer reports them and where people’s decisions are applied', () => {
    const writers = ['acquirer-notification', 'carry-out', 'payment-check', 'provider-notification'];
    expect(whoever((name) => mayInTransaction(name, 'PutItem', 'CB#1'))).toEqual(writers);
    expect(whoever((name) => may(name, 'Query', 'CB#1'))).toEqual(
      [
        ...writers,
        'postback-list',
        'reconcile',
        'payment-status',
        'refund-full-create',
        'refund-partial-create',
      ].toSorted(),
    );
    expect(whoever((name) => may(name, 'UpdateItem', 'CB#1') || may(name, 'DeleteItem', 'CB#1'))).toEqual([]);
  });

  it('shows tokens to the authorizer alone, and nothing else to it', () => {
    expect(whoever((name) => may(name, 'GetItem', 'T#1'))).toEqual(['authorizer']);
    expect(items.filter((key) => may('authorizer', 'GetItem', key))).toEqual(['T#1']);
  });

  it('lets each sweep read only its own work list', () => {
    const seesList = (list: string) =>
      whoever((name) => may(name, 'Query', `W#${list}#07`, `${tableArn}/index/WORK`));
    expect(seesList('PAY')).toEqual(['payment-sweep']);
    expect(seesList('PAID')).toEqual(['payment-sweep']);
    expect(seesList('PB')).toEqual(['postback-sweep']);
    expect(seesList('PO')).toEqual(['payout-sweep']);
    expect(seesList('AUTO')).toEqual(['payout-auto']);
    expect(seesList('MOD')).toEqual([]);
  });

  it('keeps the sandbox’s books and the service’s apart', () => {
    expect(whoever((name) => may(name, 'GetItem', 'anything', sandboxTableArn))).toEqual(['sandbox']);
    for (const key of items) expect(may('sandbox', 'GetItem', key)).toBe(false);
  });
});

const key = (alias: string): string => {
  const [found] = ofType(template, 'AWS::KMS::Alias').filter((one) => at(one, 'AliasName') === alias);
  return plain(at(found, 'TargetKeyId'));
};

describe('sealed values', () => {
  const tokens = key('alias/paylink-local-tokens');
  const destinations = key('alias/paylink-local-destinations');
  const can = (action: string, keyArn: string, use: string) =>
    whoever((name) => mayUse(name, `kms:${action}`, keyArn, use));

  it('API tokens are opened by what sends postbacks and the hand-off page only', () => {
    expect(can('Decrypt', tokens, 'api-token')).toEqual([
      'postback-deliver',
      'postback-retry',
      'postback-test',
      'result-page',
    ]);
  });

  it('webhook secrets are opened by what sends postbacks only; tests of them read and write no postback', () => {
    expect(can('Decrypt', tokens, 'webhook-secret')).toEqual([
      'postback-deliver',
      'postback-retry',
      'postback-test',
    ]);
    const all = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', ...changes];
    expect(all.filter((action) => may('postback-test', action, 'E#1'))).toEqual([]);
  });

  it('payout destinations are opened by the dispatcher, and by what ends a payout for people: both seal the phone of its postback', () => {
    expect(can('Decrypt', destinations, 'payout-destination')).toEqual(['carry-out', 'payout-dispatch']);
    expect(can('Encrypt', destinations, 'postback-phone')).toEqual(['carry-out', 'payout-dispatch']);
  });

  it('a cancelled destination is sealed again for its postback by KMS: the function opens nothing, and seals nothing of its own', () => {
    expect(can('ReEncryptFrom', destinations, 'payout-destination')).toEqual(['payout-cancel']);
    expect(can('ReEncryptTo', destinations, 'postback-phone')).toEqual(['payout-cancel']);
    for (const use of ['payout-destination', 'payer-contact', 'anything else'])
      expect(can('ReEncryptTo', destinations, use)).toEqual([]);
    for (const use of ['postback-phone', 'payer-contact', 'anything else'])
      expect(can('ReEncryptFrom', destinations, use)).toEqual([]);
    for (const use of ['api-token', 'webhook-secret', 'payout-destination'])
      expect(can('ReEncryptFrom', tokens, use)).toEqual([]);
  });

  it('phones of payout postbacks are opened by the postback workers only', () => {
    expect(can('Decrypt', destinations, 'postback-phone')).toEqual(['postback-deliver', 'postback-retry']);
    expect(can('Decrypt', tokens, 'postback-phone')).toEqual([]);
  });

  it('contacts of payers are sealed by what receives them, and opened for receipts and extended postbacks only', () => {
    expect(can('Encrypt', destinations, 'payer-contact')).toEqual([
      'bill-create',
      'pay-submit',
      'refund-full-create',
      'refund-partial-create',
    ]);
    expect(can('Decrypt', destinations, 'payer-contact')).toEqual([
      'pay-submit',
      'payment-check',
      'postback-deliver',
      'postback-retry',
    ]);
    expect(can('Decrypt', tokens, 'payer-contact')).toEqual([]);
    expect(whoever((name) => mayInTransaction(name, 'PutItem', 'CONTACT#1'))).toEqual([
      'bill-create',
      'pay-submit',
      'refund-full-create',
      'refund-partial-create',
    ]);
  });

  it('payout destinations are sealed by what creates payouts, which cannot open them', () => {
    const makers = ['payout-auto', 'payout-personal-create', 'payout-regular-create'];
    expect(can('Encrypt', destinations, 'payout-destination')).toEqual(makers);
  });

  it('no function seals a token: the operator issues them', () => {
    expect(can('Encrypt', tokens, 'api-token')).toEqual([]);
  });

  it('a key decrypts nothing for another use, or without one', () => {
    for (const arn of [tokens, destinations]) {
      expect(can('Decrypt', arn, 'anything else')).toEqual([]);
      expect(whoever((name) => mayUse(name, 'kms:Decrypt', arn))).toEqual([]);
    }
    expect(can('Decrypt', tokens, 'payout-destination')).toEqual([]);
  });

  it('only the account itself manages the keys', () => {
    for (const one of ofType(template, 'AWS::KMS::Key')) {
      const policy = listAt(one, 'KeyPolicy', 'Statement').filter(isRecord);
      expect(policy).toHaveLength(1);
      expect(JSON.stringify(policy[0]?.['Principal'])).toContain(':root');
    }
  });
});

describe('secrets', () => {
  const readBy = (secret: string) => {
    const [found] = ofType(template, 'AWS::SecretsManager::Secret').filter(
      (one) => at(one, 'Name') === secret,
    );
    return whoever((name) => mayUse(name, 'secretsmanager:GetSecretValue', found!.id));
  };

  it('the page secret is readable by the pages that sign with it, and by what repeats a sealed call', () => {
    expect(readBy('paylink/local/page')).toEqual([
      'acquirer-notification',
      'pay-page',
      'pay-submit',
      'payment-check',
      'provider-notification',
      'result-page',
    ]);
  });

  it('the fingerprint secret is readable by what quotes, creates and sends payouts', () => {
    const makers = [
      'payout-auto',
      'payout-dispatch',
      'payout-personal-create',
      'payout-quote',
      'payout-regular-create',
    ];
    expect(readBy('paylink/local/fingerprint')).toEqual(makers);
  });

  it('those of a provider are known to what works with it in a role that it has in the record', () => {
    const acquirers = ['acquirer-notification', 'carry-out', 'pay-page', 'pay-submit', 'payment-check'];
    const both = [
      ...acquirers,
      'payout-banks',
      'payout-dispatch',
      'provider-notification',
      'reconcile',
      'result-page',
      'sandbox',
    ];
    expect(readBy('paylink/local/sandbox')).toEqual(both);

    const onlyAcquirer = templateOf('staging', {}, acquirerOnly);
    const [secret] = ofType(onlyAcquirer, 'AWS::SecretsManager::Secret').filter(
      (one) => at(one, 'Name') === 'paylink/staging/sandbox',
    );
    const knowing = allFunctions.filter((name) =>
      allows(statementsOf(onlyAcquirer, `paylink-staging-fn-${name}`), {
        action: 'secretsmanager:GetSecretValue',
        resource: secret!.id,
      }),
    );
    expect(knowing.toSorted()).toEqual([
      ...acquirers,
      'provider-notification',
      'reconcile',
      'result-page',
      'sandbox',
    ]);
  });

  it('are generated by Secrets Manager and appear nowhere in the template', () => {
    for (const one of ofType(template, 'AWS::SecretsManager::Secret')) {
      expect(at(one, 'GenerateSecretString', 'PasswordLength')).toBe(64);
      expect(at(one, 'SecretString')).toBeUndefined();
    }
  });
});

describe('every role', () => {
  it.each(allFunctions)('%s: names its actions and resources, no wildcard in an allowance', (name) => {
    const allowed = statements.get(name)?.filter(({ Effect }) => Effect === 'Allow') ?? [];
    for (const { Action, Resource } of allowed) {
      expect([Action].flat().filter((action) => action.includes('*'))).toEqual([]);
      expect([Resource].flat().map(plain)).not.toContain('*');
    }
  });

  it.each(allFunctions)('%s: writes its own log only', (name) => {
    const logs = new Map(
      ofType(template, 'AWS::Logs::LogGroup').map((one) => [at(one, 'LogGroupName'), one.id]),
    );
    const writable = [...logs].filter(([, id]) => mayUse(name, 'logs:PutLogEvents', `${id}.Arn`));
    expect(writable.map(([group]) => group)).toEqual([`/paylink/local/${name}`]);
  });

  it('belongs to one function', () => {
    const roles = ofType(template, 'AWS::Lambda::Function').map((one) => plain(at(one, 'Role')));
    expect(new Set(roles).size).toBe(allFunctions.length);
    expect(ofType(template, 'AWS::IAM::Role').every((one) => !at(one, 'ManagedPolicyArns'))).toBe(true);
  });

  it.each(allFunctions)('%s: has environment variables only for what it may use', (name) => {
    const told = variablesOf(template, `paylink-local-fn-${name}`);
    const rightsOf: Record<string, (value: string) => boolean> = {
      TABLE_NAME: (id) => granted(name, `${id}.Arn`),
      SANDBOX_TABLE_NAME: (id) => granted(name, `${id}.Arn`),
      PAYMENT_QUEUE_URL: (id) => granted(name, `${id}.Arn`),
      POSTBACK_QUEUE_URL: (id) => granted(name, `${id}.Arn`),
      RETRY_QUEUE_URL: (id) => granted(name, `${id}.Arn`),
      PAYOUT_QUEUE_URL: (id) => granted(name, `${id}.Arn`),
      TOKEN_KEY_ID: (id) => granted(name, `${id}.Arn`),
      DESTINATION_KEY_ID: (id) => granted(name, `${id}.Arn`),
      PAGE_SECRET_ID: (id) => granted(name, id),
      FINGERPRINT_SECRET_ID: (id) => granted(name, id),
      SANDBOX_SECRET_ID: (id) => granted(name, id),
    };
    for (const [variable, value] of Object.entries(told)) {
      expect(rightsOf[variable]?.(value) ?? true, variable).toBe(true);
    }
  });
});

function granted(name: string, resource: string): boolean {
  const allowed = statements.get(name)?.filter(({ Effect }) => Effect === 'Allow') ?? [];
  return allowed.some(({ Resource }) => [Resource].flat().some((one) => plain(one) === resource));
}
