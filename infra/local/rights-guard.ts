import { Agent, createServer, type IncomingMessage, request as call, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listen } from './http-server.ts';
import { type Arns, callsOf } from '../rights/calls.ts';
import { allows, plain, statementsOf, type Statement, type Template } from '../rights/policy.ts';

export type Refusal = { readonly function: string; readonly asked: string };

/** Stands before the services of a local run and lets through what the caller's own role allows. */
export type Guard = {
  /** Takes the place of every service's endpoint. Callers sign with their function's name as access key. */
  readonly origin: string;
  /** What was refused so far; refused calls are answered with `AccessDeniedException`. */
  readonly refusals: readonly Refusal[];
  readonly stop: () => Promise<void>;
};

type Options = {
  readonly template: Template;
  /** Where a request goes once it is allowed, by the service's name in `X-Amz-Target`. */
  readonly upstream: (service: string) => string;
};

/**
 * Roles are enforced by AWS alone, so a right that a function lacks would show on the first day in an account.
 * This asks the template's policies the question that IAM would be asked.
 */
export async function guardRights({ template, upstream }: Options): Promise<Guard> {
  const refusals: Refusal[] = [];
  const agent = new Agent({ keepAlive: true });
  const ask = askerOf(template);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const target = String(request.headers['x-amz-target']);
    const refusal = ask(callerOf(request), target, body);
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

function askerOf(template: Template) {
  const arns = arnsOf(template);
  const known = new Map<string, readonly Statement[]>();
  const roleOf = (name: string): readonly Statement[] => {
    const statements = known.get(name) ?? statementsOf(template, name);
    known.set(name, statements);
    return statements;
  };
  return (name: string, target: string, body: Buffer): Refusal | undefined => {
    const questions = questionsIn(target, body, arns);
    if (!questions) return { function: name, asked: target };
    const refused = questions.find((calls) => !calls.some((one) => allows(roleOf(name), one)));
    return refused && { function: name, asked: JSON.stringify(refused[0]) };
  };
}

/** Undefined for a request that is not known here: such a one is refused as a whole. */
function questionsIn(target: string, body: Buffer, arns: Arns) {
  try {
    return callsOf(target, JSON.parse(body.toString()), arns);
  } catch {
    return undefined;
  }
}

function arnsOf(template: Template): Arns {
  const all = Object.entries(template.Resources);
  const named = (type: string, property: string, name: string): string => {
    const found = all.find(([, one]) => one.Type === type && plain(one.Properties?.[property]) === name);
    return found?.[0] ?? name;
  };
  return {
    table: (name) => `${named('AWS::DynamoDB::Table', 'TableName', name)}.Arn`,
    queue: (url) => `${named('AWS::SQS::Queue', 'QueueName', url.replace(/^.*\//, ''))}.Arn`,
    secret: (id) => named('AWS::SecretsManager::Secret', 'Name', id.replace(/^.*:secret:(.*)-\w{6}$/, '$1')),
    keys: all.filter(([, one]) => one.Type === 'AWS::KMS::Key').map(([id]) => `${id}.Arn`),
  };
}

function refuse(response: ServerResponse, { function: name, asked }: Refusal): void {
  const __type = 'AccessDeniedException';
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': __type });
  response.end(JSON.stringify({ __type, message: `The role of ${name} does not allow ${asked}` }));
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
