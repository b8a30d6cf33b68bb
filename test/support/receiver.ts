import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { receiverCertificate, receiverKey } from './receiver-certificate.ts';

export type Received = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly path: string;
};

/** A merchant's server on this machine; closing it also closes its open connections. */
export type Receiver = AsyncDisposable & { readonly port: number; readonly url: string };

async function listening(server: Server, scheme: 'http' | 'https', host = '127.0.0.1'): Promise<Receiver> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // Many tests close the connection from the other side on purpose.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    port,
    url: `${scheme}://${host}:${port}/result`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Starts a receiver that answers with `answer`. */
export const aReceiver = (answer: RequestListener) => listening(createServer(answer), 'http');

/** Starts a receiver with TLS under the name shop.example.com. */
export const aSecureReceiver = (answer: RequestListener) =>
  listening(
    createTlsServer({ key: receiverKey, cert: receiverCertificate }, answer),
    'https',
    'shop.example.com',
  );

/** Starts a receiver that writes raw bytes instead of HTTP. */
export const aRawReceiver = (serve: (socket: Socket) => void, scheme: 'http' | 'https' = 'http') =>
  listening(createTcpServer(serve), scheme);

/** Starts a receiver that records its requests and answers with the status that `status` returns, 200 by default. */
export async function aRecordingReceiver(
  status: () => number = () => 200,
  answer: (body: string) => string = () => 'ok',
) {
  const received: Received[] = [];
  const receiver = await aReceiver((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: headersOf(request), body, path: request.url ?? '' });
      response.writeHead(status()).end(answer(body));
    });
  });
  return { ...receiver, received };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
