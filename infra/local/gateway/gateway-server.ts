import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FunctionLog, LogLine } from '../functions/function-log.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { readBody } from '../http-server.ts';
import { messageOf } from '../../../lib/installation/command-error.ts';

/** API Gateway's limit for a request body, in bytes. */
const largestBody = 10 * 1024 * 1024;

type Surroundings = { readonly now: () => Date; readonly log: FunctionLog };

/** Creates the HTTP server in front of the gateway. `gateway` is read at each request: it is undefined during the start. */
export function gatewayServer(gateway: () => Gateway | undefined, { now, log }: Surroundings): Server {
  return createServer((incoming, response) => {
    const began = now().getTime();
    const line = `${incoming.method} ${withoutSecrets(pathOf(incoming))}`;
    const say = (text: string, stream: LogLine['stream']): void =>
      log({ functionName: 'gateway', text, stream });
    serve(gateway(), incoming, response, now).then(
      (status) => say(`${line} ${status} in ${now().getTime() - began} ms`, 'stdout'),
      (thrown: unknown) => {
        // A client that disconnected is not a failure of the runner.
        say(`${line}: ${messageOf(thrown)}`, incoming.destroyed ? 'stdout' : 'runner');
        response.destroy();
      },
    );
  });
}

async function serve(
  gateway: Gateway | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
  now: () => Date,
): Promise<number> {
  const request = await requestOf(incoming, now);
  const answer = gateway ? await gateway(request) : starting;
  const length = String(answer.body.length);
  const own = ['Content-Length', length, 'x-amzn-RequestId', request.id];
  response.writeHead(answer.status, [...answer.headers.flat(), ...own]);
  response.end(answer.body);
  return answer.status;
}

/** Returns a URL's path without the query, which may contain secrets. */
const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/';

/** Replaces parts of a path that may be secret: a token, the key of a card page, a card or phone number. */
const withoutSecrets = (path: string): string => path.replaceAll(/[^/]{33,}|\d{9,}/g, '…');

const starting: GatewayAnswer = {
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"message":"The service is starting."}'),
};

async function requestOf(incoming: IncomingMessage, now: () => Date): Promise<GatewayRequest> {
  const [, ...query] = (incoming.url ?? '/').split('?');
  const names = incoming.rawHeaders.filter((_text, index) => index % 2 === 0);
  return {
    id: randomUUID(),
    time: now(),
    method: incoming.method ?? 'GET',
    path: pathOf(incoming),
    query: new URLSearchParams(query.join('?')),
    headers: names.map((name, index) => [name, incoming.rawHeaders[index * 2 + 1] ?? '']),
    body: await readBody(incoming, largestBody),
    sourceIp: incoming.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
  };
}
