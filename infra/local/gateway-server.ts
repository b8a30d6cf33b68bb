import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Gateway } from './gateway.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { readBody } from './http-server.ts';
import { messageOf } from './trouble.ts';

/** API Gateway takes no more than this. */
const largestBody = 10 * 1024 * 1024;

/** The HTTP server before the gateway. `gateway` is asked for at each request: it is not there while starting. */
export function gatewayServer(
  gateway: () => Gateway | undefined,
  now: () => Date,
  note: (text: string) => void,
): Server {
  return createServer((request, response) => {
    serve(gateway(), request, response, now).catch((thrown: unknown) => {
      note(`${request.method} ${request.url?.split('?')[0]}: ${messageOf(thrown)}`);
      response.destroy();
    });
  });
}

async function serve(
  gateway: Gateway | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
  now: () => Date,
): Promise<void> {
  const request = await requestOf(incoming, now);
  const answer = gateway ? await gateway(request) : starting;
  const length = String(answer.body.length);
  const own = ['Content-Length', length, 'x-amzn-RequestId', request.id];
  response.writeHead(answer.status, [...answer.headers.flat(), ...own]);
  response.end(answer.body);
}

const starting: GatewayAnswer = {
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"message":"The service is starting."}'),
};

async function requestOf(incoming: IncomingMessage, now: () => Date): Promise<GatewayRequest> {
  const [path = '/', ...query] = (incoming.url ?? '/').split('?');
  const names = incoming.rawHeaders.filter((_text, index) => index % 2 === 0);
  return {
    id: randomUUID(),
    time: now(),
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query.join('?')),
    headers: names.map((name, index) => [name, incoming.rawHeaders[index * 2 + 1] ?? '']),
    body: await readBody(incoming, largestBody),
    sourceIp: incoming.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
  };
}
