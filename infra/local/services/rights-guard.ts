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

/** A human caller. */
type Person = {
  /** Their name in refusals. */
  readonly who: string;
  /** Their `aws:userid`, for policy conditions. */
  readonly userid: string;
  /** The name of their managed policy. Undefined: an administrator, who may do everything. */
  readonly policyName: string | undefined;
};

/** Returns the person with this access key; undefined for a function's or an unknown key. */
export type PersonOf = (accessKey: string) => Person | undefined;

/** The template with the policies, and the lookup of people. */
export type Rights = { readonly template: Template; readonly personOf: PersonOf };

/** A proxy in front of the local services that forwards only what the caller's role or policy allows. */
export type Guard = {
  /** The endpoint for every service. A function's access key is its name; a person has their own access key. */
  readonly origin: string;
  /** The refused calls so far. They are answered `AccessDeniedException`. */
  readonly refusals: readonly Refusal[];
  readonly stop: () => Promise<void>;
};

type Options = Rights & {
  /** Returns the endpoint for an allowed request by the service name in `X-Amz-Target`; `Lambda` for an invocation. */
  readonly upstream: (service: string) => string;
};

/**
 * Starts the guard. It evaluates the template's policies as IAM would, so that a missing right shows locally and not on the
 * first day in an account.
 */
export async function guardRights({ upstream, ...rights }: Options): Promise<Guard> {
  const refusals: Refusal[] = [];
  const agent = new Agent({ keepAlive: true });
  const refusalOf = refusalsBy(rights);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { target, input } = requestIn(request, body);
    const refusal = refusalOf(callerOf(request), target, input);
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

/** Returns the access key that signed the request. */
const callerOf = ({ headers }: IncomingMessage): string =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? 'nobody';

/** Returns the request's target and input. For an invocation the input is the function's name; its event has no effect on rights. */
function requestIn({ headers, url = '' }: IncomingMessage, body: Buffer): { target: string; input: string } {
  const name = invokedFunction(url);
  if (headers['x-amz-target'] !== undefined || name === undefined)
    return { target: String(headers['x-amz-target']), input: body.toString() };
  return {
    target: lambdaTarget,
    input: JSON.stringify({ FunctionName: name }),
  };
}

/** Returns the function that checks a request: undefined when it is allowed. */
function refusalsBy({ template, personOf }: Rights) {
  const arns = arnsOf(template);
  const isFunction = (name: string): boolean =>
    Object.values(template.Resources).some(
      ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties?.['FunctionName'] === name,
    );
  const known = new Map<string, readonly Statement[]>();
  const cached = (name: string, find: () => readonly Statement[]): readonly Statement[] => {
    const statements = known.get(name) ?? find();
    known.set(name, statements);
    return statements;
  };
  return (accessKey: string, target: string, body: string): Refusal | undefined => {
    const person = personOf(accessKey);
    if (person && person.policyName === undefined) return undefined;
    const { who = accessKey, policyName = '' } = person ?? {};
    const statements = person
      ? cached(policyName, () => peopleStatements(template, policyName))
      : cached(accessKey, () => (isFunction(accessKey) ? statementsOf(template, accessKey) : []));
    const groups = callsIn(target, body, arns);
    if (!groups) return { who, asked: target };
    const refused = groups.find(
      (calls) => !calls.some((one) => allows(statements, person ? madeBy(one, person.userid) : one)),
    );
    return refused && { who, asked: JSON.stringify(refused[0]) };
  };
}

/** The call as a person's, who always uses a role session. */
const madeBy = (made: Call, userid: string): Call => ({
  ...made,
  ...(userid !== undefined && { userid }),
  context: { ...made.context, 'aws:PrincipalType': ['AssumedRole'] },
});

/** Undefined for an unsupported request, which is refused. */
function callsIn(target: string, body: string, arns: Arns) {
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
