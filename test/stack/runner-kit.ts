import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import type { LogLine } from '../../infra/local/functions/function-log.ts';
import type { InvocationOutcome } from '../../infra/local/functions/worker-messages.ts';
import { type Runner, type RunnerOptions, startRunner } from '../../infra/local/runner.ts';

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;

/** A function for a test: its whole bundle, as CommonJS, as it would lie in an asset. */
export type Bundle = { readonly code: string; readonly timeout?: number; readonly variables?: object };

export type Given = {
  readonly functions: Readonly<Record<string, Bundle>>;
  readonly resources?: Resources;
  readonly options?: Partial<RunnerOptions>;
};

type TestRunner = Runner & { readonly lines: readonly LogLine[] };

/** Runs a small template with these functions until the test is over. */
export async function run({ functions, resources = {}, options = {} }: Given): Promise<TestRunner> {
  const folder = await assemblyOf(functions, { ...functionResources(functions), ...resources });
  const lines: LogLine[] = [];
  const runner = await startRunner({
    port: 0,
    schedules: false,
    now: () => new Date(),
    log: (line) => void lines.push(line),
    assembly: () => Promise.resolve(folder),
    ...options,
  });
  onTestFinished(() => runner.stop());
  return { ...runner, lines };
}

/** A cloud assembly in a folder of its own, as `cdk synth` would write it. */
async function assemblyOf(
  functions: Readonly<Record<string, Bundle>>,
  resources: Resources,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-assembly-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = Object.keys(functions);
  for (const name of names) {
    await mkdir(join(folder, `asset.${name}`));
    await writeFile(join(folder, `asset.${name}`, 'index.js'), functions[name]!.code);
  }
  const files = Object.fromEntries(names.map((name) => [name, { source: { path: `asset.${name}` } }]));
  await writeJson(join(folder, 'Test.assets.json'), { files });
  await writeJson(join(folder, 'Test.template.json'), { Resources: { ...restApi, ...resources } });
  await writeJson(join(folder, 'manifest.json'), {
    artifacts: {
      Test: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Test.template.json' } },
      'Test.assets': { type: 'cdk:asset-manifest', properties: { file: 'Test.assets.json' } },
    },
  });
  return folder;
}

const writeJson = (file: string, content: object) => writeFile(file, JSON.stringify(content));

const restApi: Resources = {
  Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['image/*'] } },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
};

const functionResources = (functions: Given['functions']): Resources =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { timeout = 10, variables = {} }]) => [
      name,
      {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: `test-${name}`,
          Code: { S3Bucket: 'assets', S3Key: `${name}.zip` },
          Handler: 'index.handler',
          Timeout: timeout,
          MemorySize: 128,
          Environment: { Variables: variables },
        },
      },
    ]),
  );

/** A resource of the API's tree; the root when there is no parent. */
export const path = (part: string, parent?: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: {
    PathPart: part,
    ParentId: parent ? { Ref: parent } : { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
  },
});

/** A method that calls a function, behind the authorizer called `Authorizer` when asked for. */
export const calls = (
  name: string,
  on: string,
  { method = 'ANY', guarded = false, timeoutMs = 29_000 } = {},
) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    HttpMethod: method,
    ResourceId: { Ref: on },
    ...(guarded && { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Authorizer' } }),
    Integration: {
      Type: 'AWS_PROXY',
      TimeoutInMillis: timeoutMs,
      Uri: {
        'Fn::Join': [
          '',
          [
            'arn:aws:apigateway:',
            { Ref: 'AWS::Region' },
            ':lambda:path/2015-03-31/functions/',
            { 'Fn::GetAtt': [name, 'Arn'] },
            '/invocations',
          ],
        ],
      },
    },
  },
});

/** A TOKEN authorizer with its cache off. */
export const authorizer = (name: string) => ({
  Type: 'AWS::ApiGateway::Authorizer',
  Properties: {
    Type: 'TOKEN',
    AuthorizerResultTtlInSeconds: 0,
    IdentitySource: 'method.request.header.Authorization',
    AuthorizerUri: {
      'Fn::Sub': `arn:aws:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${${name}.Arn}/invocations`,
    },
  },
});

/** One of the gateway's own answers, in words of its own. */
export const gatewayResponse = (type: string, status: number | undefined, body: string) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    ResponseType: type,
    ...(status && { StatusCode: String(status) }),
    ResponseTemplates: { 'application/json': body },
  },
});

/** A mock that answers this to JSON and to nothing else. */
export const mock = (on: object, status: number, body: string) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    HttpMethod: 'ANY',
    ResourceId: on,
    Integration: {
      Type: 'MOCK',
      PassthroughBehavior: 'NEVER',
      RequestTemplates: { 'application/json': `{"statusCode":${status}}` },
      IntegrationResponses: [{ StatusCode: String(status), ResponseTemplates: { 'application/json': body } }],
    },
  },
});

/** What came back: status, headers and text. */
export async function ask(runner: Runner, where: string, init: RequestInit = {}) {
  const response = await fetch(runner.baseUrl + where, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Code of a function that answers with what it was given. */
export const echo = 'exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });';

/** The texts that a function answered with, by name. */
export function payloadOf(outcome: InvocationOutcome): Readonly<Record<string, string>> {
  if (!outcome.ok) throw new Error(outcome.errorMessage);
  return z.record(z.string(), z.string()).parse(outcome.payload);
}
