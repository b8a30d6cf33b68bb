import { describe, expect, it } from 'vitest';
import { isRecord } from '../../infra/local/template/is-record.ts';
import { apiRoutes, publicRoutes } from '../../lib/contract/routes.ts';
import { listAt, ofType, templateOf } from './template.ts';

const prod = templateOf('prod');
const [acl] = ofType(prod, 'AWS::WAFv2::WebACL');
const rules = listAt(acl, 'Rules').filter(isRecord);
const named = (name: string) => rules.find((one) => one['Name'] === name);

/** The value at a path of keys. */
const within = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const scope = within(
  named('rate-by-address'),
  'Statement',
  'RateBasedStatement',
  'ScopeDownStatement',
  'RegexMatchStatement',
);
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
const byMachines = ['openapi', 'acquirer-notification', 'provider-notification'];
const notPages = [...byMachines, 'fallback'];
const pages = publicRoutes.map((route) => route.function).filter((name) => !notPages.includes(name));

describe('the firewall', () => {
  it('protects the stage and blocks an address that requests too many of the payer’s pages', () => {
    expect(ofType(prod, 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
    expect(named('rate-by-address')).toMatchObject({
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

  it('blocks an address with too many requests in all: at least ten times the pages’ limit', () => {
    const rule = named('rate-of-everything-by-address');
    expect(rule).toMatchObject({ Action: { Block: {} } });
    const limit = within(rule, 'Statement', 'RateBasedStatement');
    expect(limit).toEqual({ AggregateKeyType: 'IP', Limit: expect.any(Number), EvaluationWindowSec: 300 });
    const ofPages = within(named('rate-by-address'), 'Statement', 'RateBasedStatement', 'Limit');
    expect(Number(within(limit, 'Limit'))).toBeGreaterThanOrEqual(10 * Number(ofPages));
  });

  it('blocks a token that is used too often, from any number of addresses and in any case', () => {
    expect(named('rate-by-token')).toMatchObject({
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'CUSTOM_KEYS',
          Limit: 30_000,
          EvaluationWindowSec: 300,
          CustomKeys: [
            {
              Header: {
                Name: 'Authorization',
                TextTransformations: [
                  { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
                  { Priority: 1, Type: 'LOWERCASE' },
                ],
              },
            },
          ],
        },
      },
    });
  });

  it('blocks a token that searches too often: one search may read a thousand items', () => {
    const rule = within(named('rate-of-searches-by-token'), 'Statement', 'RateBasedStatement');
    expect(rule).toMatchObject({ AggregateKeyType: 'CUSTOM_KEYS', Limit: 600, EvaluationWindowSec: 300 });
    const expression = within(rule, 'ScopeDownStatement', 'RegexMatchStatement', 'RegexString');
    const paths = [...apiRoutes, ...publicRoutes].map(
      (route) => [route.function, sent(route.paths)] as const,
    );
    const limited = paths.filter(([, each]) =>
      each.every(([path]) => new RegExp(String(expression)).test(path)),
    );
    expect(limited.map(([name]) => name)).toEqual([
      'bill-search',
      'payment-search',
      'payout-search',
      'refund-search',
    ]);
    expect(expression).not.toMatch(/\((?!\?:)/);
  });

  it.each(['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'])(
    'only counts what %s would block',
    (group) => {
      expect(named(group)).toMatchObject({
        OverrideAction: { Count: {} },
        Statement: { ManagedRuleGroupStatement: { VendorName: 'AWS', Name: group } },
      });
      expect(named(group)).not.toHaveProperty('Action');
    },
  );

  it('evaluates its rules in order and keeps no samples of requests', () => {
    const orders = rules.map((rule) => rule['Priority']);
    expect(new Set(orders).size).toBe(rules.length);
    for (const rule of rules)
      expect(within(rule, 'VisibilityConfig', 'SampledRequestsEnabled'), String(rule['Name'])).toBe(false);
  });

  it('matches the path alone, decoded and normalized first', () => {
    expect(scope).toMatchObject({
      FieldToMatch: { UriPath: {} },
      TextTransformations: [
        { Priority: 0, Type: 'URL_DECODE' },
        { Priority: 1, Type: 'NORMALIZE_PATH' },
      ],
    });
  });

  it('uses only expressions that the firewall supports: no capturing group', () => {
    expect(pattern).not.toMatch(/\((?!\?:)/);
    expect(pattern.length).toBeLessThanOrEqual(512);
  });
});

describe('notifications of a provider', () => {
  const yookassa = {
    apiUrl: 'https://api.yookassa.ru/v3',
    payments: { card: { RUB: { minMinor: 100, maxMinor: 35_000_000 } } },
    payouts: undefined,
    calls: undefined,
  };
  const withProvider = (changes: { readonly notificationSources?: readonly string[] } = {}) => {
    const template = templateOf(
      'prod',
      {},
      { providers: { yookassa: { ...yookassa, ...changes } }, payments: { card: { RUB: 'yookassa' } } },
    );
    const [firewall] = ofType(template, 'AWS::WAFv2::WebACL');
    const counted = (name: string) =>
      within(
        listAt(firewall, 'Rules')
          .filter(isRecord)
          .find((one) => one['Name'] === name),
        'Statement',
        'RateBasedStatement',
        'ScopeDownStatement',
      );
    const sets = ofType(template, 'AWS::WAFv2::IPSet').map(({ id, Properties: { Addresses } = {} }) => ({
      id,
      Addresses,
    }));
    return { counted, sets };
  };

  const { counted, sets } = withProvider();
  const [where, whence] = listOf(
    within(
      counted('rate-of-everything-by-address'),
      'NotStatement',
      'Statement',
      'AndStatement',
      'Statements',
    ),
  );

  it('are not counted in the limit per address when they come from its published addresses', () => {
    expect(sets.map(({ Addresses }) => Addresses)).toEqual([
      [
        '185.71.76.0/27',
        '185.71.77.0/27',
        '77.75.153.0/25',
        '77.75.154.128/25',
        '77.75.156.11/32',
        '77.75.156.35/32',
      ],
      ['2a02:5180::/32'],
    ]);
    expect(whence).toEqual({
      OrStatement: {
        Statements: sets.map(({ id }) => ({
          IPSetReferenceStatement: { Arn: { 'Fn::GetAtt': [id, 'Arn'] } },
        })),
      },
    });
  });

  const exempt = new RegExp(String(within(where, 'RegexMatchStatement', 'RegexString')));

  it.each(sent(['/acquirer/yookassa/4f1c']))('are exempt at %s', (path) =>
    expect(exempt.test(path)).toBe(true),
  );

  it.each(
    sent([
      ...apiRoutes.flatMap(({ paths }) => paths),
      ...publicRoutes.flatMap(({ paths }) => paths).map((path) => path.replace('{provider}', 'another')),
      '/acquirer/yookassa',
      '/acquirer/yookassax/4f1c',
      '/link/acquirer/yookassa/4f1c',
    ]),
  )('are no exemption for %s, whoever sends it', (path) => expect(exempt.test(path)).toBe(false));

  it('come from the addresses that the record names, if it names some', () => {
    const other = withProvider({ notificationSources: ['198.51.100.0/24'] });
    expect(other.sets.map(({ Addresses }) => Addresses)).toEqual([['198.51.100.0/24']]);
  });

  it('are the only exemption: the limits of the pages and of a token have none', () => {
    expect(JSON.stringify(counted('rate-by-address'))).not.toContain('IPSetReference');
    expect(counted('rate-by-token')).toBeUndefined();
    expect(ofType(prod, 'AWS::WAFv2::IPSet')).toEqual([]);
  });
});

describe('the firewall’s rule on the size of bodies', () => {
  const bodySize = named('body-size');
  const parts = listOf(within(bodySize, 'Statement', 'OrStatement', 'Statements')).map((either) =>
    listOf(within(either, 'AndStatement', 'Statements')),
  );
  const limitOf = (path: string): unknown =>
    parts
      .filter(([where]) => new RegExp(String(within(where, 'RegexMatchStatement', 'RegexString'))).test(path))
      .map(([, size]) => within(size, 'SizeConstraintStatement', 'Size'))
      .at(0);

  it('answers 413 itself, with a page', () => {
    expect(bodySize).toMatchObject({
      Action: {
        Block: {
          CustomResponse: {
            ResponseCode: 413,
            CustomResponseBodyKey: 'too-large',
            ResponseHeaders: [
              { Name: 'Strict-Transport-Security', Value: 'max-age=31536000' },
              { Name: 'X-Content-Type-Options', Value: 'nosniff' },
            ],
          },
        },
      },
    });
    const page = within(acl?.Properties, 'CustomResponseBodies', 'too-large');
    expect(page).toMatchObject({ ContentType: 'TEXT_HTML', Content: expect.stringContaining('<html') });
    expect(Buffer.byteLength(String(within(page, 'Content')))).toBeLessThan(4096);
  });

  it.each(sent(pathsOf(...pages.filter((name) => name !== 'redirect-page'))))('holds %s to 8 KB', (path) =>
    expect(limitOf(path)).toBe(8192),
  );

  it.each(sent(pathsOf('redirect-page')))('holds %s to 64 KB', (path) => expect(limitOf(path)).toBe(65_536));

  it.each(sent([...apiRoutes.flatMap(({ paths }) => paths), ...pathsOf(...byMachines)]))(
    'leaves %s to its function',
    (path) => expect(limitOf(path)).toBeUndefined(),
  );

  it('treats a body that exceeds its inspection limit as too large', () => {
    for (const [, size] of parts)
      expect(size).toMatchObject({
        SizeConstraintStatement: {
          FieldToMatch: { Body: { OversizeHandling: 'MATCH' } },
          ComparisonOperator: 'GT',
          TextTransformations: [{ Priority: 0, Type: 'NONE' }],
        },
      });
  });

  it('inspects 64 KB of a body: with the default of 16 KB every larger one would match', () => {
    expect(within(acl?.Properties, 'AssociationConfig', 'RequestBody')).toEqual({
      API_GATEWAY: { DefaultSizeInspectionLimit: 'KB_64' },
    });
  });
});
