import { Agent, createServer, type IncomingMessage, request as call, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { invokedFunction } from '../functions/lambda.ts';
import { close, listen } from '../http-server.ts';
import { type Arns, callsOf, lambdaTarget } from '../rights/calls.ts';
import {
  allows,
  type Call,
  peopleStatements,
  plain,
  statementsOf,
  type Statement,
} from '../rights/policy.ts';
import type { Template } from '../template/template.ts';

export type Refusal = { readonly who: string; readonly asked: string };

/** Somebody who is no function. */
type Person = {
  /** As a refusal calls them. */
  readonly who: string;
  /** `aws:userid` in the conditions of policies. */
  readonly userid: string;
  /** The name of the managed policy that holds for them; an administrator is under none. */
  readonly policyName: string | undefined;
};

/** Whose access key this is; undefined for nobody's, and for a function's. */
export type PersonOf = (accessKey: string) => Person | undefined;

/** Where rights stand, and who is under which. */
export type Rights = { readonly template: Template; readonly personOf: PersonOf };

/** Stands before the services of a local run and lets through what the caller's own role or policy allows. */
export type Guard = {
  /** Takes the place of every service's endpoint. A function signs with its name as access key, a person with one of their own. */
  readonly origin: string;
  /** What was refused so far; refused calls are answered with `AccessDeniedException`. */
  readonly refusals: readonly Refusal[];
  readonly stop: () => Promise<void>;
};

type Options = Rights & {
  /** Where a request goes once it is allowed, by the service's name in `X-Amz-Target`; `Lambda` has none of its own. */
  readonly upstream: (service: string) => string;
};

/**
 * Roles are enforced by AWS alone, so a right that a function lacks would show on the first day in an account.
 * This asks the template's policies the question that IAM would be asked.
 */
export async function guardRights({ upstream, ...rights }: Options): Promise<Guard> {
  const refusals: Refusal[] = [];
  const agent = new Agent({ keepAlive: true });
  const ask = askerOf(rights);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { target, asked } = requestIn(request, body);
    const refusal = ask(callerOf(request), target, asked);
    if (!refusal)
      return forward(request, body, response, { agent, origin: upstream(target.split('.')[0] ?? '') });
    refusals.push(refusal);
    refuse(response, refusal);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    refusals,
    stop: () => {
      agent.destroy();
      return close(server);
    },
  };
}

/** The access key that signed the request. */
const callerOf = ({ headers }: IncomingMessage): string =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? 'nobody';

/** What is asked of which service. The event of an invocation says nothing about rights, the function's name does. */
function requestIn({ headers, url = '' }: IncomingMessage, body: Buffer): { target: string; asked: string } {
  const name = invokedFunction(url);
  if (headers['x-amz-target'] !== undefined || name === undefined)
    return { target: String(headers['x-amz-target']), asked: body.toString() };
  return {
    target: lambdaTarget,
    asked: JSON.stringify({ FunctionName: name }),
  };
}

function askerOf({ template, personOf }: Rights) {
  const arns = arnsOf(template);
  const isFunction = (name: string): boolean =>
    Object.values(template.Resources).some(
      ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties?.['FunctionName'] === name,
    );
  const known = new Map<string, readonly Statement[]>();
  const held = (name: string, find: () => readonly Statement[]): readonly Statement[] => {
    const statements = known.get(name) ?? find();
    known.set(name, statements);
    return statements;
  };
  return (accessKey: string, target: string, body: string): Refusal | undefined => {
    const person = personOf(accessKey);
    if (person && person.policyName === undefined) return undefined;
    const { who = accessKey, policyName = '' } = person ?? {};
    const statements = person
      ? held(policyName, () => peopleStatements(template, policyName))
      : held(accessKey, () => (isFunction(accessKey) ? statementsOf(template, accessKey) : []));
    const questions = questionsIn(target, body, arns);
    if (!questions) return { who, asked: target };
    const refused = questions.find(
      (calls) => !calls.some((one) => allows(statements, person ? madeBy(one, person.userid) : one)),
    );
    return refused && { who, asked: JSON.stringify(refused[0]) };
  };
}

/** People come by a session of a role. */
const madeBy = (asked: Call, userid: string): Call => ({
  ...asked,
  ...(userid !== undefined && { userid }),
  context: { ...asked.context, 'aws:PrincipalType': ['AssumedRole'] },
});

/** Undefined for a request that is not known here: such a one is refused as a whole. */
function questionsIn(target: string, body: string, arns: Arns) {
  try {
    return callsOf(target, JSON.parse(body), arns);
  } catch {
    return undefined;
  }
}

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));

function arnsOf(template: Template): Arns {
  const all = Object.entries(template.Resources);
  const named = (type: string, property: string, name: string): string => {
    const found = all.find(([, one]) => one.Type === type && plain(one.Properties?.[property]) === name);
    return found?.[0] ?? name;
  };
  const partitionKey = (table: string): string => {
    const properties = template.Resources[named('AWS::DynamoDB::Table', 'TableName', table)]?.Properties;
    const keys = keySchema.parse(properties?.['KeySchema']);
    return keys.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  };
  return {
    partitionKey,
    table: (name) => `${named('AWS::DynamoDB::Table', 'TableName', name)}.Arn`,
    queue: (url) => `${named('AWS::SQS::Queue', 'QueueName', url.replace(/^.*\//, ''))}.Arn`,
    function: (name) => `${named('AWS::Lambda::Function', 'FunctionName', name)}.Arn`,
    secret: (id) => named('AWS::SecretsManager::Secret', 'Name', id.replace(/^.*:secret:(.*)-\w{6}$/, '$1')),
    keys: all.filter(([, one]) => one.Type === 'AWS::KMS::Key').map(([id]) => `${id}.Arn`),
  };
}

function refuse(response: ServerResponse, { who, asked }: Refusal): void {
  const __type = 'AccessDeniedException';
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': __type });
  response.end(JSON.stringify({ __type, message: `The rights of ${who} do not allow ${asked}` }));
}

function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { agent, origin }: { readonly agent: Agent; readonly origin: string },
): void {
  const { method, headers, url = '/' } = request;
  const sent = call(new URL(url, origin), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  sent.once('error', () => response.destroy());
  sent.end(body);
}
