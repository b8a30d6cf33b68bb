import { describe, expect, it } from 'vitest';
import { isRecord } from '../../infra/rights/policy.ts';
import { apiRoutes, publicRoutes } from '../../lib/contract/routes.ts';
import { listAt, ofType, templateOf } from './template.ts';

const prod = templateOf('prod');
const [acl] = ofType(prod, 'AWS::WAFv2::WebACL');
const rules = listAt(acl, 'Rules');
const [rule] = rules;

/** The value at a path of keys. */
const within = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), value);
const scope = within(rule, 'Statement', 'RateBasedStatement', 'ScopeDownStatement', 'RegexMatchStatement');
const pattern = String(within(scope, 'RegexString'));
const counts = (path: string): boolean => new RegExp(pattern).test(path);

/** Each path as a browser sends it: under the API's own URL and under a domain. */
const sent = (paths: readonly string[]) =>
  paths
    .map((path) => path.replaceAll(/\{\w+\}/g, '4f1c'))
    .flatMap((path) => [`/live${path}`, path])
    .map((path) => [path] as const);
const pathsOf = (...functions: readonly string[]) =>
  publicRoutes.filter((route) => functions.includes(route.function)).flatMap(({ paths }) => paths);
const byMachines = ['openapi', 'acquirer-notification'];
const pages = publicRoutes.map((route) => route.function).filter((name) => !byMachines.includes(name));

describe('the firewall', () => {
  it('stands before the stage and blocks an address that asks for too many of the payer’s pages', () => {
    expect(ofType(prod, 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
    expect(rules).toHaveLength(1);
    expect(rule).toMatchObject({
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: { AggregateKeyType: 'IP', Limit: 2_000, EvaluationWindowSec: 300 },
      },
    });
  });

  it.each(sent(pathsOf(...pages)))('counts %s', (path) => expect(counts(path)).toBe(true));

  it.each(sent([...apiRoutes.flatMap(({ paths }) => paths), ...pathsOf(...byMachines)]))(
    'does not count %s: a merchant’s server and the acquirer have one address for all they send',
    (path) => expect(counts(path)).toBe(false),
  );

  it('looks at the path alone, decoded and made plain first', () => {
    expect(scope).toMatchObject({
      FieldToMatch: { UriPath: {} },
      TextTransformations: [
        { Priority: 0, Type: 'URL_DECODE' },
        { Priority: 1, Type: 'NORMALIZE_PATH' },
      ],
    });
  });

  it('keeps to the expressions that the firewall knows: no capturing group', () => {
    expect(pattern).not.toMatch(/\((?!\?:)/);
    expect(pattern.length).toBeLessThanOrEqual(512);
  });
});
