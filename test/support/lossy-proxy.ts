import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The outcome of a call: it passes, it is refused before it arrives, or it takes effect and its answer is lost. */
type CallOutcome = 'passes' | 'refused' | 'answer_lost';
export type Call = { readonly method: string; readonly path: string };

/** A proxy between the service and the sandbox that loses the calls or answers that a test names. */
export async function lossyProxy() {
  let fate: (call: Call) => CallOutcome = () => 'passes';
  let target = '';
  const seen: Call[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => {
    const call = { method: incoming.method ?? '', path: incoming.url ?? '' };
    const decided = fate(call);
    seen.push(call);
    if (decided === 'refused') answer.writeHead(503).end();
    else forward(target, incoming, answer, decided === 'answer_lost');
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    /** Replaces the origin of the runner. */
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    /** The calls that reached the proxy, in order. */
    seen,
    leadTo: (origin: string) => void (target = origin),
    decide: (next: (call: Call) => CallOutcome) => void (fate = next),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function forward(target: string, incoming: IncomingMessage, answer: ServerResponse, lost: boolean): void {
  const { method, headers, url = '/' } = incoming;
  const onward = request(new URL(url, target), {
    method,
    headers: { ...headers, host: new URL(target).host },
  });
  onward.on('response', (response) => {
    if (lost) return void response.resume();
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  incoming.pipe(onward);
}
