import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { Gateway, restApi } from '../../infra/constructs/gateway.ts';
import { functions, rooms } from '../../infra/functions.ts';
import { nestedStack } from '../../infra/local/template/nested.ts';
import type { Template } from '../../infra/local/template/template.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import { isRecord } from '../../infra/local/template/is-record.ts';
import { apiRoutes } from '../../lib/contract/routes.ts';
import { environments } from '../../lib/installation/environments.ts';
import { namesOf } from '../../lib/installation/names.ts';
import { allFunctions, assemblyOf, at, ofType } from './template.ts';

const prod = assemblyOf('prod');
const root = rootOf(prod);

function rootOf({ stackName, templates }: typeof prod): Template {
  const own = templates.get(stackName);
  if (!own) throw new Error(`${stackName} has no template.`);
  return own;
}

describe('the bucket of seals', () => {
  it('is not there unless the record names it', () => {
    expect(ofType(root, 'AWS::S3::Bucket')).toEqual([]);
  });

  it('locks what the audit writes for the years of the record, and outlives the stack', () => {
    const { stackName, templates } = assemblyOf('prod', {}, { sealBucket: { years: 7 } });
    const own = templates.get(stackName);
    const [bucket] = own ? ofType(own, 'AWS::S3::Bucket') : [];
    expect(bucket).toMatchObject({
      Properties: {
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 7 * 365 } },
        },
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
      DeletionPolicy: 'Retain',
    });
    const policies = [...templates.values()].flatMap((template) => ofType(template, 'AWS::IAM::Policy'));
    const allowed = policies.map((policy) => JSON.stringify(policy)).filter((text) => text.includes('"s3:'));
    expect(allowed).toHaveLength(1);
    expect(allowed[0]?.match(/"s3:\w+"/g)).toEqual(['"s3:PutObject"']);
  });
});

/** The property with the physical name of a resource type. Others are named by CloudFormation. */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Authorizer': 'Name',
  'AWS::ApiGateway::DomainName': 'DomainName',
  'AWS::ApiGateway::GatewayResponse': 'ResponseType',
  'AWS::ApiGateway::Method': 'HttpMethod',
  'AWS::ApiGateway::Resource': 'PathPart',
  'AWS::ApiGateway::RestApi': 'Name',
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Logs::MetricFilter': 'FilterName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::WAFv2::WebACL': 'Name',
};

/** A Deployment's id changes with every change of the methods, so it is not listed. */
const withoutHash = (id: string): string => id.replace(/^(ApiDeployment[A-F0-9]{8})[a-f0-9]{32}$/, '$1…');

/** `stack  kind  logical id  name`, one line for each resource of an installation. */
function listed({ templates }: typeof prod): string {
  const lines = [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([id, resource]) => {
      const name = at(resource, nameProperties[resource.Type] ?? '');
      const short = stack.replace(/NestedStack\w+$/, '');
      return [short, resource.Type, withoutHash(id), ...(name === undefined ? [] : [plain(name)])].join('  ');
    }),
  );
  return `${lines.toSorted().join('\n')}\n`;
}

describe('the resources of an installation', () => {
  it('are those of the kept list: a resource whose stack, id or name changes is replaced', async () => {
    await expect(listed(prod)).toMatchFileSnapshot('./resources.txt');
  });

  it('that hold data or have an address stay in the root stack under the ids that installations know', () => {
    const found = Object.entries(root.Resources).map(([id, resource]) => [
      id,
      at(resource, nameProperties[resource.Type] ?? ''),
    ]);
    expect(Object.fromEntries(found)).toMatchObject({
      AccessLogD598EBE9: '/paylink/prod/access',
      AlarmsTopic3A2DFEBA: 'paylink-prod-alarms',
      ApiDeploymentStagelive43C16EA7: 'live',
      ApiF70053CD: 'paylink-prod',
      ApproverPolicy00EB6E55: 'paylink-prod-approver',
      Domain66AC69E0: 'pay.example',
      OperatorPolicy63C1EB6F: 'paylink-prod-operator',
      Payments130453D3: 'paylink-prod-payments',
      PaymentsDead59F77D8A: 'paylink-prod-payments-dead',
      Payouts4408E43F: 'paylink-prod-payouts',
      PayoutsDeadE4B9BA74: 'paylink-prod-payouts-dead',
      Postbacks9A199F67: 'paylink-prod-postbacks',
      PostbacksDead686FB00A: 'paylink-prod-postbacks-dead',
      Retries77939C89: 'paylink-prod-retries',
      RetriesDead63A5FFF2: 'paylink-prod-retries-dead',
      TableCD117FA1: 'paylink-prod',
      Vaultdestinations59D8C2D9: undefined,
      VaultdestinationsAlias1309CE68: 'alias/paylink-prod-destinations',
      Vaultfingerprintsecret92317E04: 'paylink/prod/fingerprint',
      VaultpagesecretE58EB18E: 'paylink/prod/page',
      VaulttokensF07371A1: undefined,
      VaulttokensAlias65712DC1: 'alias/paylink-prod-tokens',
      billcreateLogs3ED7A7E4: '/paylink/prod/bill-create',
    });
  });

  it('are in no nested stack when they must outlive it', () => {
    const nested = [...prod.templates.values()].filter((template) => template !== root);
    const kept = nested.flatMap(({ Resources }) =>
      Object.entries(Resources).filter(([, { DeletionPolicy }]) => (DeletionPolicy ?? 'Delete') !== 'Delete'),
    );
    expect(kept).toEqual([]);
  });
});

describe('a function', () => {
  it('has one room, and every room is there for functions that exist', () => {
    expect(Object.values(rooms).flat().toSorted()).toEqual(Object.keys(functions).toSorted());
  });

  it('has another name than before it lay in a nested stack: both exist while an installation is updated', () => {
    const names = namesOf('prod');
    const deployed = ofType(prod.template, 'AWS::Lambda::Function').map((one) => at(one, 'FunctionName'));
    const former = allFunctions.map(names.formerFunction);
    expect(deployed.filter((name) => former.includes(String(name)))).toEqual([]);
  });
});

describe.each(['local', 'dev', 'staging', 'prod'] as const)('each template of %s', (name) => {
  const { templates } = name === 'prod' ? prod : assemblyOf(name);

  it('is far from CloudFormation’s limits: 500 resources, 200 parameters, 200 outputs, 1 MB', () => {
    for (const [stack, template] of templates) {
      const { Resources, Parameters = {}, Outputs = {} } = template;
      expect(Object.keys(Resources).length, stack).toBeLessThan(400);
      expect(Object.keys(Parameters).length, stack).toBeLessThan(160);
      expect(Object.keys(Outputs).length, stack).toBeLessThan(160);
      expect(JSON.stringify(template).length, stack).toBeLessThan(800_000);
    }
  });

  it('leaves room in the API, whose quota is 300 paths', () => {
    const all = [...templates.values()];
    const count = (type: string) => all.reduce((sum, one) => sum + ofType(one, type).length, 0);
    expect(count('AWS::ApiGateway::Resource')).toBeLessThan(250);
    expect(count('AWS::ApiGateway::Method')).toBeLessThan(250);
  });
});

/** The resources that a resource of the root stack depends on, by reference and by DependsOn. */
function waitsFor(id: string): readonly string[] {
  const resource = root.Resources[id];
  const named = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isRecord(value)) return;
    const { Ref: ref, 'Fn::GetAtt': attribute, DependsOn: others } = value;
    if (typeof ref === 'string') named.add(ref);
    if (Array.isArray(attribute)) named.add(String(attribute[0]));
    for (const other of [others ?? []].flat()) named.add(plain(other));
    Object.values(value).forEach(look);
  };
  look(resource);
  return [...named].filter((other) => other in root.Resources);
}

const known = new Map<string, ReadonlySet<string>>();

/** All transitive dependencies; throws on a cycle. */
function before(id: string, path: readonly string[] = []): ReadonlySet<string> {
  if (path.includes(id)) throw new Error(`A circle: ${[...path, id].join(' -> ')}`);
  const found =
    known.get(id) ?? new Set(waitsFor(id).flatMap((other) => [other, ...before(other, [...path, id])]));
  known.set(id, found);
  return found;
}

describe('an update', () => {
  it('terminates: no resource of the root stack depends on itself, not even through a nested stack', () => {
    for (const id of Object.keys(root.Resources)) expect(() => before(id)).not.toThrow();
  });

  it('lets the stage refer only to functions that exist with their permissions', () => {
    const [stage] = ofType(root, 'AWS::ApiGateway::Stage');
    const waited = before(stage!.id);
    for (const [id, template] of prod.templates) {
      const callers = ofType(template, 'AWS::Lambda::Permission').map((one) => at(one, 'Principal'));
      if (callers.includes('apigateway.amazonaws.com')) expect(waited, id).toContain(id);
    }
    expect(ofType(root, 'AWS::Lambda::Permission')).toEqual([]);
    for (const { id } of ofType(root, 'AWS::ApiGateway::Method')) expect(waited, id).toContain(id);
  });

  it('asks for each nested stack’s template', () => {
    const nested = ofType(root, nestedStack).map(({ id }) => id);
    expect([prod.stackName, ...nested].toSorted()).toEqual([...prod.templates.keys()].toSorted());
  });
});

/** The id of the deployment of an API that serves these routes with functions of these names. */
function deploymentOf(routes: typeof apiRoutes, deployedName: (name: string) => string): string {
  const stack = new Stack(new App(), 'Test');
  const served = [...new Set(['authorizer', ...apiRoutes.map((route) => route.function)])].map((name) => {
    const made = new LambdaFunction(stack, name, {
      code: Code.fromInline('exports.handler = () => undefined;'),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
    });
    return [name, Object.assign(made, { deployedName: deployedName(name) })] as const;
  });
  const api = restApi(stack, environments.dev);
  const gateway = new Gateway(stack, 'Gateway', { api, routes, functions: new Map(served) });
  const [deployment] = ofType(
    App.of(gateway)!.synth().getStackByName('Test').template,
    'AWS::ApiGateway::Deployment',
  );
  return deployment!.id;
}

describe('the API is deployed anew', () => {
  const same = (name: string): string => name;
  const now = deploymentOf(apiRoutes, same);

  it('not without a change', () => expect(deploymentOf(apiRoutes, same)).toBe(now));

  it('when a route is added or removed', () => expect(deploymentOf(apiRoutes.slice(1), same)).not.toBe(now));

  it.each(['bill-create', 'authorizer'])('when %s gets another name', (renamed) => {
    expect(deploymentOf(apiRoutes, (name) => (name === renamed ? 'other' : name))).not.toBe(now);
  });
});
