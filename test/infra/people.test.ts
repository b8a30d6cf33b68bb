import { describe, expect, it } from 'vitest';
import { nouns } from '../../infra/functions.ts';
import { allows, documentStatements, plain, type Statement } from '../../infra/local/rights/policy.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { at, functionOf, ofType, templateOf } from './template.ts';

const template = templateOf('prod');
const table = ofType(template, 'AWS::DynamoDB::Table').find((one) => at(one, 'TableName') === 'paylink-prod');
const tableArn = `${table?.id}.Arn`;

/** The statements of a managed policy as IAM reads them for the caller with this identity. */
function policyFor(role: 'operator' | 'approver', userid: string): readonly Statement[] {
  const found = ofType(template, 'AWS::IAM::ManagedPolicy').find(
    (one) => at(one, 'ManagedPolicyName') === `paylink-prod-${role}`,
  );
  const document: unknown = JSON.parse(
    JSON.stringify(at(found, 'PolicyDocument')).replaceAll('${aws:userid}', userid),
  );
  return documentStatements(document);
}

const olga = 'AROAOPERATOROPERATOR1:olga';
const petr = 'AROAAPPROVERAPPROVER1:petr';
const operator = policyFor('operator', olga);
const approver = policyFor('approver', petr);

type Asked = { readonly principal?: string; readonly attributes?: readonly string[] };
const may = (
  statements: readonly Statement[],
  action: string,
  key: string,
  { principal = 'AssumedRole', attributes = ['PK', 'SK', 'state'] }: Asked = {},
): boolean =>
  allows(statements, {
    action: `dynamodb:${action}`,
    resource: tableArn,
    context: {
      'dynamodb:LeadingKeys': [key],
      'dynamodb:Attributes': attributes,
      'aws:PrincipalType': [principal],
    },
  });
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate'];
const writable = (statements: readonly Statement[], key: string) =>
  writes.filter((action) => may(statements, action, key));

describe('an operator', () => {
  it('writes decisions and changes under their own identity only', () => {
    for (const noun of ['OPERATOR', 'CHANGE']) {
      expect(writable(operator, `${noun}#${olga}`)).toEqual(['PutItem']);
      expect(writable(operator, `${noun}#${petr}`)).toEqual([]);
      expect(writable(operator, `${noun}#${olga}x`)).toEqual([]);
    }
  });

  it('sets merchants, shops, tokens, terms, rates, standing orders and endpoints', () => {
    for (const key of ['M#1', 'S#1', 'T#1', 'RATES', 'AUTO#1', 'EP#1'])
      expect(may(operator, 'UpdateItem', key)).toBe(true);
  });
});

it('an operator forgets a known account, which is no payout', () => {
  expect(writable(operator, 'G#merchant#hash')).toEqual(['DeleteItem']);
  expect(writable(operator, 'G#group')).toEqual([]);
});

it('an operator can have a postback sent again, but cannot change its content', async () => {
  const written: string[] = [];
  const client = {
    send: async ({ input }: { readonly input: { readonly ExpressionAttributeNames?: object } }) => {
      written.push(...Object.values(input.ExpressionAttributeNames ?? {}));
      return {};
    },
  };
  const store = { client, name: 'paylink-prod', backOff: () => async () => false };
  await dynamoEvents(store).replay('event', new Date());
  const attributes = ['PK', 'SK', 'attempts', ...written];
  expect(may(operator, 'UpdateItem', 'E#event', { attributes })).toBe(true);
  for (const said of ['fields', 'status', 'kind', 'merchantId', 'shopId', 'supersededByBill'])
    expect(may(operator, 'UpdateItem', 'E#event', { attributes: [...attributes, said] })).toBe(false);
  expect(may(operator, 'UpdateItem', 'E#event', { attributes: [] })).toBe(false);
});

it('only a role’s session decides: a federated one chooses its name, a user may be a second of one person', () => {
  for (const principal of ['User', 'FederatedUser', 'Account']) {
    expect(may(operator, 'PutItem', `OPERATOR#${olga}`, { principal })).toBe(false);
    expect(may(operator, 'PutItem', `CHANGE#${olga}`, { principal })).toBe(false);
    expect(may(approver, 'PutItem', `APPROVER#${petr}`, { principal })).toBe(false);
  }
});

describe('an approver', () => {
  it('writes approvals under their own identity, and nothing else', () => {
    expect(writable(approver, `APPROVER#${petr}`)).toEqual(['PutItem']);
    expect(writable(approver, `APPROVER#${olga}`)).toEqual([]);
    const others = nouns.filter((noun) => noun !== 'APPROVER');
    expect(others.filter((noun) => writable(approver, `${noun}#1`).length > 0)).toEqual([]);
    expect(writable(approver, `OPERATOR#${petr}`)).toEqual([]);
  });
});

describe('both policies', () => {
  const moved = [
    'B#1',
    'BAL#1',
    'J#1',
    'SEAL#1',
    'G#1',
    'ADJ#1',
    'CB#1',
    'CL#1',
    'PR#1',
    'O#1',
    'I#1',
    'RL#1',
  ];

  it.each([
    ['operator', operator],
    ['approver', approver],
  ])('do not let an %s write the effect of a decision: the function does', (_role, statements) => {
    expect(moved.filter((key) => writable(statements, key).length > 0)).toEqual([]);
  });

  it.each([
    ['operator', operator, ['carry-out', 'payout-banks', 'provider-check', 'reconcile']],
    ['approver', approver, ['carry-out']],
  ])('let an %s invoke the functions of their commands, and no other', (_role, statements, names) => {
    const invokes = ofType(template, 'AWS::Lambda::Function').filter(({ id }) =>
      allows(statements, { action: 'lambda:InvokeFunction', resource: `${id}.Arn` }),
    );
    expect(invokes.map((one) => String(at(one, 'FunctionName'))).toSorted()).toEqual(
      names.map((name) => `paylink-prod-fn-${name}`),
    );
    expect(plain(at(functionOf(template, 'paylink-prod-fn-carry-out'), 'FunctionName'))).toBe(
      'paylink-prod-fn-carry-out',
    );
  });

  it('held by one person allow neither role’s decisions', () => {
    const both = [...policyFor('operator', olga), ...policyFor('approver', olga)];
    expect(writable(both, `OPERATOR#${olga}`)).toEqual([]);
    expect(writable(both, `APPROVER#${olga}`)).toEqual([]);
  });
});
