import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '../../../lib/installation/command-error.ts';
import type { Invoke } from '../gateway/gateway.ts';
import { close, listen, readBody } from '../http-server.ts';

/** Lambda's limit for a synchronous request payload, in bytes. */
const largestRequest = 6 * 1024 * 1024;

type LambdaResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
};

/** Returns the function name in a path of Lambda's `Invoke`; undefined for any other path. */
export function invokedFunction(path: string | undefined): string | undefined {
  const [, name] = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/.exec(path ?? '') ?? [];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** Serves Lambda's `Invoke` for the local functions, on loopback. Signatures are not checked. */
export async function serveLambda(
  invoke: Invoke,
): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(invoke, request).then(
      (answered) => send(response, answered),
      (error: unknown) => send(response, refused(500, 'ServiceException', messageOf(error))),
    );
  });
  const port = await listen(server, 0);
  return { origin: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

async function answer(invoke: Invoke, request: IncomingMessage): Promise<LambdaResponse> {
  const body = await readBody(request, largestRequest);
  const name = invokedFunction(request.url);
  if (request.method !== 'POST' || name === undefined)
    return refused(404, 'ResourceNotFoundException', 'The local runner supports only Invoke.');
  if (!body) return refused(413, 'RequestTooLargeException', 'The event is larger than 6 MB.');
  const event: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
  const outcome = await invoke(name, event);
  if (outcome.ok) return { status: 200, body: outcome.payload ?? null };
  const { errorType, errorMessage } = outcome;
  return { status: 200, body: { errorType, errorMessage }, headers: { 'x-amz-function-error': 'Unhandled' } };
}

const refused = (status: number, type: string, message: string): LambdaResponse => ({
  status,
  body: { Type: 'User', Message: message },
  headers: { 'x-amzn-errortype': type },
});

function send(response: ServerResponse, { status, body, headers }: LambdaResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
