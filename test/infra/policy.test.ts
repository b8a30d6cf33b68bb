import { describe, expect, it } from 'vitest';
import { type Call, type Statement, allows } from '../../infra/local/rights/policy.ts';

const mayRead: Statement = {
  Effect: 'Allow',
  Action: ['dynamodb:GetItem', 'dynamodb:Query'],
  Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['B#*', 'RATES'] } },
};
const mayOpen: Statement = {
  Effect: 'Allow',
  Action: 'kms:Decrypt',
  Resource: 'key',
  Condition: { StringEquals: { 'kms:EncryptionContext:use': 'api-token' } },
};
const read = (...keys: string[]): Call => ({
  action: 'dynamodb:GetItem',
  resource: 'Table.Arn',
  context: { 'dynamodb:LeadingKeys': keys },
});

describe('what a role allows', () => {
  it('is what a statement names', () => expect(allows([mayRead], read('B#1'))).toBe(true));

  it('needs every key to be named', () => {
    expect(allows([mayRead], read('B#1', 'BAL#1'))).toBe(false);
    expect(allows([mayRead], read('B#1', 'RATES'))).toBe(true);
    expect(allows([mayRead], read('RATES#'))).toBe(false);
  });

  it('excludes other resources and other actions', () => {
    expect(allows([mayRead], { ...read('B#1'), resource: 'Other.Arn' })).toBe(false);
    expect(allows([mayRead], { ...read('B#1'), action: 'dynamodb:PutItem' })).toBe(false);
  });

  it('holds for every one of no keys, which only the check for their absence refuses', () => {
    const keyless: Call = { action: 'dynamodb:GetItem', resource: 'Table.Arn' };
    const guarded = (absent: 'true' | 'false'): Statement => ({
      ...mayRead,
      Condition: { ...mayRead.Condition, Null: { 'dynamodb:LeadingKeys': absent } },
    });
    expect(allows([mayRead], keyless)).toBe(true);
    expect(allows([guarded('false')], keyless)).toBe(false);
    expect(allows([guarded('false')], read('B#1'))).toBe(true);
    expect(allows([guarded('true')], read('B#1'))).toBe(false);
  });

  it('excludes what a statement denies', () => {
    const deny: Statement = { Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' };
    expect(allows([mayRead, deny], read('B#1'))).toBe(false);
  });

  it('needs the named encryption context to be there', () => {
    const open = { action: 'kms:Decrypt', resource: 'key' };
    expect(allows([mayOpen], open)).toBe(false);
    expect(allows([mayOpen], { ...open, context: { 'kms:EncryptionContext:use': ['api-token'] } })).toBe(
      true,
    );
    expect(allows([mayOpen], { ...open, context: { 'kms:EncryptionContext:use': ['other'] } })).toBe(false);
  });

  it('is denied where a condition wants another value, or finds none', () => {
    const transactionsOnly: Statement = {
      Effect: 'Deny',
      Action: 'dynamodb:GetItem',
      Resource: '*',
      Condition: { 'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': 'TransactGetItems' } },
    };
    const within = (...names: string[]): Call => ({
      ...read('B#1'),
      context: { ...read('B#1').context, 'dynamodb:EnclosingOperation': names },
    });
    expect(allows([mayRead, transactionsOnly], within('TransactGetItems'))).toBe(true);
    expect(allows([mayRead, transactionsOnly], within('ExecuteTransaction'))).toBe(false);
    expect(allows([mayRead, transactionsOnly], within())).toBe(false);
  });

  it('throws on an unknown condition', () => {
    const odd: Statement = { ...mayRead, Condition: { NumericLessThan: { 'aws:MultiFactorAuthAge': '60' } } };
    expect(() => allows([odd], read('B#1'))).toThrow('NumericLessThan');
  });
});
