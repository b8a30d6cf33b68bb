import { describe, expect, it } from 'vitest';
import { environmentNamed, environments } from '../../infra/environments.ts';
import type { Template } from '../../infra/rights/policy.ts';
import { allFunctions, ofType, templateOf, variablesOf } from './template.ts';

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

  it('refuses that its table be deleted, and can go back to any second', () => {
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

  it('has no provider until its operator names one', () => {
    for (const name of allFunctions.filter((one) => one !== 'sandbox')) {
      const told = variablesOf(prod, `paylink-prod-${name}`);
      expect(told).not.toHaveProperty('ACQUIRER');
      expect(told).not.toHaveProperty('RAIL');
    }
  });

  it('calls merchants on public addresses only', () => {
    expect(variablesOf(prod, 'paylink-prod-postback-deliver')['MERCHANT_URLS']).toBe('public');
  });
});

describe('local and dev', () => {
  it('leave nothing behind', () => {
    for (const [id, policy] of policiesOf(templateOf('dev'))) expect(policy, id).toBe('Delete');
  });

  it('only local may call a merchant without https or on a loopback address', () => {
    const loopback = Object.values(environments).filter(({ merchantUrls }) => merchantUrls === 'loopback');
    expect(loopback.map(({ name }) => name)).toEqual(['local']);
  });
});

describe('the context of a synthesis', () => {
  const told = (context: Parameters<typeof templateOf>[1]) =>
    variablesOf(templateOf('local', context), 'paylink-local-pay-submit');

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

  it('an environment that does not exist is told with those that do', () => {
    expect(() => environmentNamed('qa')).toThrow(
      'There is no environment "qa": choose one of local, dev, staging, prod.',
    );
  });
});

describe('a custom domain', () => {
  it('is where the links begin', async () => {
    const { ServiceStack } = await import('../../infra/service-stack.ts');
    const { App } = await import('aws-cdk-lib');
    const domain = {
      name: 'pay.example',
      certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
    };
    const app = new App({ analyticsReporting: false });
    const environment = { ...environments.prod, domain };
    const stack = new ServiceStack(app, 'Example', { environment, names: [], bundles: '' });
    const { template } = app.synth().getStackByName(stack.stackName);

    expect(template.Outputs.PublicUrl.Value).toBe('https://pay.example');
    expect(ofType(template, 'AWS::ApiGateway::DomainName')).toHaveLength(1);
    expect(ofType(template, 'AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
  });
});
