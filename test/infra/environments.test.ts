import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentNamed, environments, sandboxOnly } from '../../lib/installation/environments.ts';
import { providers } from '../../lib/installation/providers.ts';
import { allows, plain, statementsOf } from '../../infra/local/rights/policy.ts';
import type { Template } from '../../infra/local/template/template.ts';
import { codeBlock } from '../support/markdown.ts';
import { allFunctions, at, filledInProd, ofType, templateOf, variablesOf } from './template.ts';

const yookassa = {
  apiUrl: 'https://api.yookassa.ru/v3',
  payments: {
    card: { RUB: { minMinor: 100, maxMinor: 35_000_000 } },
    sbp: { RUB: { minMinor: 100, maxMinor: 70_000_000 } },
  },
  payouts: { sbp: { minMinor: 100, maxMinor: 50_000_000 } },
  calls: { atOnce: 10, perSecond: 10 },
} as const;
const withYookassa = {
  providers: { yookassa },
  payments: { card: { RUB: 'yookassa' }, sbp: { RUB: 'yookassa' } },
  payouts: { sbp: 'yookassa' },
} as const;
const sandbox = sandboxOnly.providers;

const lasting = [
  'AWS::DynamoDB::Table',
  'AWS::KMS::Key',
  'AWS::SecretsManager::Secret',
  'AWS::Logs::LogGroup',
];
const policiesOf = (template: Template) =>
  lasting
    .flatMap((type) => ofType(template, type))
    .map(({ id, DeletionPolicy }) => [id, DeletionPolicy] as const);

describe('prod', () => {
  const prod = templateOf('prod');

  it('keeps its data, keys, secrets and logs when the stack is removed, but not when its creation fails', () => {
    for (const [id, policy] of policiesOf(prod)) expect(policy, id).toBe('RetainExceptOnCreate');
  });

  it('has a table with deletion protection and point-in-time recovery', () => {
    const [table, ...others] = ofType(prod, 'AWS::DynamoDB::Table');
    expect(others).toEqual([]);
    expect(table?.Properties).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('has no sandbox: no function, table, secret, route or setting of it', () => {
    const named = JSON.stringify({ ...prod, Metadata: undefined }).match(/sandbox/gi);
    expect(named).toBeNull();
  });

  it('is a record that its operator fills in: until then one sentence says what is missing', () => {
    expect(() => environmentNamed('prod')).toThrow(
      /^The record of prod in lib\/installation\/environments\.ts is not complete: fill in account, region, domain, alarmAddress and timeZone\.$/,
    );
  });

  it.each(['account', 'region', 'domain', 'alarmAddress', 'timeZone'] as const)(
    'is not synthesized without %s',
    (field) => {
      expect(() => templateOf('prod', {}, { [field]: undefined })).toThrow(
        `The record of prod in lib/installation/environments.ts is not complete: fill in ${field}.`,
      );
    },
  );

  it.each([
    [{ providers: sandbox }, 'providers'],
    [{ payments: { card: { RUB: 'sandbox' } } }, 'payments.card.RUB'],
    [{ payouts: { sbp: 'sandbox' } }, 'payouts.sbp'],
    [
      {
        providers: sandbox,
        payments: { card: { RUB: 'sandbox', EUR: 'sandbox' } },
        payouts: { sbp: 'sandbox' },
      },
      'providers, payments.card.RUB, payments.card.EUR and payouts.sbp',
    ],
  ] as const)('is not synthesized with a sandbox: %j', (changes, fields) => {
    expect(() => templateOf('prod', {}, changes)).toThrow(
      `The record of prod in lib/installation/environments.ts is not complete: take the sandbox out of ${fields}`,
    );
  });

  it('counts its days in the time zone of its record', () => {
    for (const name of ['payout-regular-create', 'payout-auto', 'bill-status'])
      expect(variablesOf(prod, `paylink-prod-fn-${name}`)['TIME_ZONE']).toBe('Europe/Moscow');
  });

  it('never has a provider for tests, for whichever method', () => {
    const forTests = Object.entries(providers).flatMap(([name, record]) => (record.forTests ? [name] : []));
    expect(forTests).toEqual(['sandbox']);
    const anywhere = [
      ...(['card', 'sbp'] as const).map((method) => ({ payments: { [method]: { RUB: 'sandbox' } } })),
      ...(['credit_card', 'sbp'] as const).map((type) => ({ payouts: { [type]: 'sandbox' } })),
    ];
    for (const changes of anywhere)
      expect(() => templateOf('prod', {}, { ...withYookassa, ...changes })).toThrow(
        /take the sandbox out of/,
      );
  });

  it('has a real provider, in each method that its record names, with the secret that the operator fills in', () => {
    const template = templateOf('prod', {}, withYookassa);
    expect(JSON.parse(variablesOf(template, 'paylink-prod-fn-pay-submit')['PAYMENT_ROUTES'] ?? '')).toEqual(
      withYookassa.payments,
    );
    const generated = (name: string) => {
      const secrets = ofType(template, 'AWS::SecretsManager::Secret');
      const found = secrets.find((one) => at(one, 'Name') === `paylink/prod/${name}`);
      return at(found, 'GenerateSecretString');
    };
    expect(generated('yookassa')).toMatchObject({
      SecretStringTemplate: '{"shopId":""}',
      GenerateStringKey: 'secretKey',
    });
    expect(generated('yookassa-payouts')).toMatchObject({
      SecretStringTemplate: '{"gatewayId":""}',
      GenerateStringKey: 'secretKey',
    });
    expect(generated('yookassa-notifications')).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
    const pay = variablesOf(template, 'paylink-prod-fn-pay-submit');
    expect(JSON.parse(pay['YOOKASSA_SETTINGS'] ?? '')).toEqual({ ...yookassa, live: true });
    expect(pay).not.toHaveProperty('SANDBOX_SETTINGS');
  });

  it('gives each function only the secrets of the provider that it needs', () => {
    const template = templateOf('prod', {}, withYookassa);
    const secrets = ofType(template, 'AWS::SecretsManager::Secret');
    const readersOf = (secret: string) => {
      const resource = secrets.find((one) => at(one, 'Name') === `paylink/prod/${secret}`)?.id ?? '';
      const call = { action: 'secretsmanager:GetSecretValue', resource };
      return allFunctions
        .filter((name) => name !== 'sandbox')
        .filter((name) => allows(statementsOf(template, `paylink-prod-fn-${name}`), call))
        .toSorted();
    };
    const both = ['carry-out', 'provider-check', 'provider-notification', 'reconcile'];
    // Not `acquirer-notification`, which anybody can call, and which works with the sandbox alone.
    expect(readersOf('yookassa')).toEqual(
      [...both, 'pay-page', 'pay-submit', 'payment-check', 'result-page'].toSorted(),
    );
    expect(variablesOf(template, 'paylink-prod-fn-acquirer-notification')).not.toHaveProperty(
      'YOOKASSA_SETTINGS',
    );
    expect(readersOf('yookassa-payouts')).toEqual(
      [...both, 'payout-banks', 'payout-dispatch', 'provider-balance'].toSorted(),
    );
    expect(readersOf('yookassa-notifications')).toEqual(['provider-check', 'provider-notification']);
  });

  it('calls merchants on public addresses only', () => {
    expect(variablesOf(prod, 'paylink-prod-fn-postback-deliver')['MERCHANT_URLS']).toBe('public');
  });
});

describe('local and dev', () => {
  it('delete everything with the stack', () => {
    for (const [id, policy] of policiesOf(templateOf('dev'))) expect(policy, id).toBe('Delete');
  });

  it('only local may call a merchant without https or on a loopback address', () => {
    const loopback = Object.values(environments).filter(({ merchantUrls }) => merchantUrls === 'loopback');
    expect(loopback.map(({ name }) => name)).toEqual(['local']);
  });
});

describe('the context of a synthesis', () => {
  const told = (context: Parameters<typeof templateOf>[1]) =>
    variablesOf(templateOf('local', context), 'paylink-local-fn-pay-submit');

  it('a port gives the local address, and the sandbox lies under it', () => {
    expect(told({ port: 3456 })).toMatchObject({
      PUBLIC_URL: 'http://127.0.0.1:3456',
      SANDBOX_URL: 'http://127.0.0.1:3456/sandbox',
    });
  });

  it('the sandbox may live on another origin', () => {
    const context = { publicUrl: 'https://pay.example', sandboxUrl: 'https://card.example/sandbox' };
    expect(told(context)).toMatchObject({
      PUBLIC_URL: 'https://pay.example',
      SANDBOX_URL: 'https://card.example/sandbox',
    });
  });

  it('the sandbox works in two steps unless one is asked for', () => {
    const manners = (context: Parameters<typeof templateOf>[1]) =>
      JSON.parse(told(context)['SANDBOX_SETTINGS'] ?? '').manners;
    expect(manners({})).toEqual({ steps: 'two' });
    expect(manners({ steps: 'one' })).toEqual({ steps: 'one' });
  });

  it('an unknown environment is refused with the list of known ones', () => {
    expect(() => environmentNamed('qa')).toThrow(
      'There is no environment "qa": choose one of local, dev, staging, prod.',
    );
  });
});

describe('a rehearsal in staging', () => {
  it('may have the sandbox, which does not give it to prod', () => {
    const staging = templateOf('staging', {}, sandboxOnly);
    expect(variablesOf(staging, 'paylink-staging-fn-pay-submit')).toMatchObject({
      PAYMENT_ROUTES: JSON.stringify(sandboxOnly.payments),
    });
  });
});

describe('several providers', () => {
  const staging = (changes: Parameters<typeof templateOf>[2]) => templateOf('staging', {}, changes);
  const two = {
    providers: { ...sandbox, yookassa },
    payments: { card: { RUB: 'yookassa', EUR: 'sandbox' }, sbp: { RUB: 'yookassa' } },
    payouts: { sbp: 'yookassa', credit_card: 'sandbox' },
  } as const;

  it('take new payments per method and currency, and payouts per account type', () => {
    const pay = variablesOf(staging(two), 'paylink-staging-fn-pay-submit');
    expect(JSON.parse(pay['PAYMENT_ROUTES'] ?? '')).toEqual(two.payments);
    expect(Object.keys(pay)).toEqual(
      expect.arrayContaining([
        'SANDBOX_SETTINGS',
        'YOOKASSA_SETTINGS',
        'SANDBOX_SECRET_ID',
        'YOOKASSA_SECRET_ID',
      ]),
    );
    const create = variablesOf(staging(two), 'paylink-staging-fn-payout-regular-create');
    expect(JSON.parse(create['PAYOUT_ROUTES'] ?? '')).toEqual(two.payouts);
    expect(Object.keys(create)).not.toEqual(expect.arrayContaining(['YOOKASSA_SECRET_ID']));
  });

  it('keep serving what they have when the record names another for what is new', () => {
    const changed = staging({ ...two, payments: { card: { RUB: 'sandbox' } }, payouts: {} });
    for (const name of ['payment-check', 'payout-dispatch', 'result-page', 'carry-out'])
      expect(variablesOf(changed, `paylink-staging-fn-${name}`)).toMatchObject({
        YOOKASSA_SETTINGS: JSON.stringify(yookassa),
        SANDBOX_SETTINGS: JSON.stringify(sandbox.sandbox),
      });
  });

  it.each([
    [
      'a provider that is not deployed',
      { payments: { sbp: { RUB: 'yookassa' } } },
      'add yookassa, which payments.sbp.RUB names, to providers',
    ],
    [
      'a method without limits',
      { providers: { yookassa: { ...yookassa, payments: {} } }, payments: { card: { RUB: 'yookassa' } } },
      'give providers.yookassa.payments.card.RUB limits, or take yookassa out of payments.card.RUB',
    ],
    [
      'an account type without limits',
      { providers: { yookassa }, payouts: { credit_card: 'yookassa' } },
      'give providers.yookassa.payouts.credit_card limits, or take yookassa out of payouts.credit_card',
    ],
    [
      'limits that no amount meets',
      { providers: { yookassa: { ...yookassa, payouts: { sbp: { minMinor: 200, maxMinor: 100 } } } } },
      'make providers.yookassa.payouts.sbp a range of whole minor units',
    ],
    [
      'no calls at all',
      { providers: { yookassa: { ...yookassa, calls: { atOnce: 0, perSecond: 0.5 } } } },
      'make providers.yookassa.calls.atOnce at least 1; make providers.yookassa.calls.perSecond at least 1',
    ],
    [
      'an API without TLS',
      { providers: { yookassa: { ...yookassa, apiUrl: 'http://api.example/v3' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'an emulator’s API',
      { providers: { yookassa: { ...yookassa, apiUrl: 'https://localhost:3001/v3' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'an emulator’s API by its address',
      { providers: { yookassa: { ...yookassa, apiUrl: 'https://127.0.0.1/v3' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'the API’s origin alone',
      { providers: { yookassa: { ...yookassa, apiUrl: 'https://api.yookassa.ru' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'a slash at the end of the API’s address',
      { providers: { yookassa: { ...yookassa, apiUrl: 'https://api.yookassa.ru/v3/' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'credentials in the API’s address',
      { providers: { yookassa: { ...yookassa, apiUrl: 'https://shop:key@api.yookassa.ru/v3' } } },
      'make providers.yookassa.apiUrl an https address of another machine that ends in /v3',
    ],
    [
      'addresses of notifications that are no ranges',
      { providers: { yookassa: { ...yookassa, notificationSources: ['185.71.76.0/27', '0.0.0.0/0'] } } },
      'make providers.yookassa.notificationSources address ranges like 185.71.76.0/27',
    ],
    [
      'card numbers that it does not say may be sent',
      {
        providers: {
          yookassa: { ...yookassa, payouts: { credit_card: { minMinor: 100, maxMinor: 15_000_000 } } },
        },
      },
      'take credit_card out of providers.yookassa.payouts, or say in providers.yookassa.cardPayouts that you may send card numbers',
    ],
    [
      'a reserve that is never released',
      { terms: { ...environments.staging.terms, reserveBasisPoints: 1_000 } },
      'make terms.reserveDays a whole number from 1 to 365',
    ],
    [
      'a reserve of half a basis point',
      { terms: { ...environments.staging.terms, reserveBasisPoints: 0.5, reserveDays: 30 } },
      'make terms.reserveBasisPoints a whole number from 0 to 10000',
    ],
    [
      'a fee of half a basis point',
      {
        terms: {
          ...environments.staging.terms,
          paymentFee: { bps: 2.5, fixedMinor: 0, minimumMinor: 0 },
          payoutFee: { bps: 100, fixedMinor: -1, minimumMinor: 0 },
        },
      },
      [
        'make terms.paymentFee.bps a whole number from 0 to 10000',
        'make the amounts of terms.payoutFee whole numbers of minor units, not negative',
      ].join('; '),
    ],
    [
      'a time zone that nobody knows',
      { timeZone: 'Europe/Moskow' },
      'make timeZone an IANA name like Europe/Moscow',
    ],
    [
      'receipts with values that the provider does not have',
      {
        providers: {
          yookassa: {
            ...yookassa,
            // A record is not type-checked when it is deployed.
            receipts: JSON.parse(
              '{"taxSystem":7,"vatCode":0,"subject":"goods","mode":"paid","sentBy":"phone"}',
            ),
          },
        },
      },
      [
        'make providers.yookassa.receipts.taxSystem a number from 1 to 6',
        'make providers.yookassa.receipts.vatCode a number from 1 to 12',
        'make providers.yookassa.receipts.subject one of the provider’s words, such as service',
        'make providers.yookassa.receipts.mode one of the provider’s words, such as full_payment',
        "make providers.yookassa.receipts.sentBy 'email', or leave it out",
      ].join('; '),
    ],
  ] as const)('are refused with %s, in one sentence', (_what, changes, sentence) => {
    expect(() => staging(changes)).toThrow(
      `The record of staging in lib/installation/environments.ts is not complete: ${sentence}.`,
    );
  });
});

it('the provider in deploying.md is one that can be deployed', async () => {
  const example = codeBlock(readFileSync('docs/deploying.md', 'utf8'), 'ts');
  const { default: fields } = await import(
    `data:text/javascript,export default {${encodeURIComponent(example)}}`
  );
  const {
    providers: named,
    payments,
    payouts,
  } = environmentNamed('staging', {
    ...environments,
    staging: { ...environments.staging, ...fields },
  });
  const { payoutBalanceAlarm, receipts } = named.yookassa ?? {};
  expect([payoutBalanceAlarm, receipts?.subject, payments.card?.RUB, payouts.sbp]).toEqual([
    { RUB: 10_000_000 },
    'service',
    'yookassa',
    'yookassa',
  ]);
});

describe('the record of a local environment with the YooKassa emulator', () => {
  const yookassaUrl = 'http://127.0.0.1:4010/v3';
  const template = templateOf('local', { yookassaUrl });

  const settingsIn = (name: string, variable: string) =>
    JSON.parse(variablesOf(template, `paylink-local-fn-${name}`)[variable] ?? '');

  it('sends payments in roubles and SBP payouts there, and leaves the rest to the sandbox', () => {
    expect(settingsIn('pay-submit', 'PAYMENT_ROUTES')).toEqual({
      card: { RUB: 'yookassa', USD: 'sandbox', EUR: 'sandbox', KZT: 'sandbox' },
      sbp: { RUB: 'yookassa' },
    });
    expect(settingsIn('pay-submit', 'YOOKASSA_SETTINGS')).toMatchObject({ apiUrl: yookassaUrl });
    expect(settingsIn('payout-dispatch', 'PAYOUT_ROUTES')).toEqual({
      credit_card: 'sandbox',
      sbp: 'yookassa',
    });
  });

  it('is used only when its address is given', () => {
    expect(variablesOf(templateOf('local'), 'paylink-local-fn-pay-submit')).not.toHaveProperty(
      'YOOKASSA_SETTINGS',
    );
  });
});

describe('the invoke URL', () => {
  const disabled = (template: Template) =>
    ofType(template, 'AWS::ApiGateway::RestApi').map((api) => at(api, 'DisableExecuteApiEndpoint'));

  it('stays on beside a domain until the record switches it off, because sent links use it', () => {
    expect(disabled(templateOf('prod'))).toEqual([false]);
    expect(disabled(templateOf('prod', {}, { invokeUrl: 'off' }))).toEqual([true]);
  });

  it('cannot be switched off without a domain', () => {
    expect(() => templateOf('staging', {}, { invokeUrl: 'off' })).toThrow(
      'The record of staging in lib/installation/environments.ts is not complete: give it a domain or switch invokeUrl on.',
    );
  });
});

describe('the access log', () => {
  const stageOf = (template: Template) => ofType(template, 'AWS::ApiGateway::Stage')[0];

  it.each(['dev', 'staging', 'prod'] as const)('of %s has the route and the status', (env) => {
    const line = JSON.parse(plain(at(stageOf(templateOf(env)), 'AccessLogSetting', 'Format')));
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      method: '$context.httpMethod',
      route: '$context.resourcePath',
      status: '$context.status',
      refusedAs: '$context.error.responseType',
    });
  });

  it('holds no path, query, header, body or message: those can hold ids, tokens and card numbers', () => {
    const format = plain(at(stageOf(templateOf('prod')), 'AccessLogSetting', 'Format'));
    expect(format).not.toMatch(
      /context\.path|query|header|body|userAgent|messageString|error\.message|requestOverride/i,
    );
  });

  it('is kept as long as every other log, and not written locally', () => {
    const [log] = ofType(templateOf('prod'), 'AWS::Logs::LogGroup').filter(
      (one) => at(one, 'LogGroupName') === '/paylink/prod/access',
    );
    expect(log).toMatchObject({
      Properties: { RetentionInDays: 365 },
      DeletionPolicy: 'RetainExceptOnCreate',
    });
    expect(at(stageOf(templateOf('local')), 'AccessLogSetting')).toBeUndefined();
  });
});

describe('a custom domain', () => {
  it('is the beginning of the links', async () => {
    const { ServiceStack } = await import('../../infra/service-stack.ts');
    const { App } = await import('aws-cdk-lib');
    const app = new App({ analyticsReporting: false });
    const stack = new ServiceStack(app, 'Example', { environment: filledInProd, names: [], bundles: '' });
    const { template } = app.synth().getStackByName(stack.stackName);

    expect(template.Outputs.PublicUrl.Value).toBe('https://pay.example');
    expect(ofType(template, 'AWS::ApiGateway::DomainName')).toHaveLength(1);
    expect(ofType(template, 'AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
  });
});
