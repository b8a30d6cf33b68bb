import { describe, expect, it } from 'vitest';
import { environmentNamed, environments } from '../../lib/installation/environments.ts';
import { providers } from '../../lib/installation/providers.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import type { Template } from '../../infra/local/template/template.ts';
import { at, filledInProd, ofType, templateOf, variablesOf } from './template.ts';

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
    [{ sandbox: true }, 'sandbox'],
    [{ acquirer: 'sandbox' }, 'acquirer'],
    [{ rail: 'sandbox' }, 'rail'],
    [{ sandbox: true, acquirer: 'sandbox', rail: 'sandbox' }, 'sandbox, acquirer and rail'],
  ] as const)('is not synthesized with a sandbox: %j', (changes, fields) => {
    expect(() => templateOf('prod', {}, changes)).toThrow(
      `The record of prod in lib/installation/environments.ts is not complete: take the sandbox out of ${fields}.`,
    );
  });

  it('counts its days in the time zone of its record', () => {
    for (const name of ['payout-regular-create', 'payout-auto', 'bill-status'])
      expect(variablesOf(prod, `paylink-prod-fn-${name}`)['TIME_ZONE']).toBe('Europe/Moscow');
  });

  it('never has a provider for tests, in whichever role', () => {
    const forTests = Object.entries(providers).flatMap(([name, record]) => (record.forTests ? [name] : []));
    expect(forTests).toContain('sandbox');
    for (const name of forTests)
      for (const role of ['acquirer', 'rail'])
        expect(() => templateOf('prod', {}, { [role]: name }), `${role}: ${name}`).toThrow(/not complete/);
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
    expect(told({})['ACQUIRER_STEPS']).toBe('two');
    expect(told({ steps: 'one' })['ACQUIRER_STEPS']).toBe('one');
  });

  it('an unknown environment is refused with the list of known ones', () => {
    expect(() => environmentNamed('qa')).toThrow(
      'There is no environment "qa": choose one of local, dev, staging, prod.',
    );
  });
});

describe('a rehearsal in staging', () => {
  it('may have the sandbox, which does not give it to prod', () => {
    const rehearsal = { sandbox: true, acquirer: 'sandbox', rail: 'sandbox' } as const;
    const staging = templateOf('staging', {}, rehearsal);
    expect(variablesOf(staging, 'paylink-staging-fn-pay-submit')).toMatchObject({ ACQUIRER: 'sandbox' });
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
