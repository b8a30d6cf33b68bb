import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import type { Limits } from '../../lib/provider/post-to-address.ts';
import {
  aKeepingReceiver,
  aRawReceiver,
  aReceiver,
  aSecureReceiver,
  type Receiver,
} from '../support/receiver.ts';
import { receiverCertificate } from '../support/receiver-certificate.ts';
import { socketsOpenedBy } from '../support/socket-count.ts';

const generous: Limits = { totalMs: 10_000, connectMs: 10_000, bodyMs: 10_000, slowMs: 10_000 };
const nobodyIsAsked = async (): Promise<readonly string[]> => {
  throw new Error('no name is looked up here');
};
const now = () => new Date('2026-11-21T12:00:00Z');

const post = (url: string, limits: Partial<Limits> = {}, headers: Record<string, string> = {}) =>
  merchantPost({ policy: 'loopback', resolve: nobodyIsAsked, now, limits: { ...generous, ...limits } }).post({
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: 'InvId=1&custom=%D0%B9',
  });

async function kept<R extends Receiver>(receiver: Promise<R>): Promise<R> {
  const started = await receiver;
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}
const receiving = (answer: RequestListener) => kept(aReceiver(answer));
const speaking = (serve: (socket: Socket) => void) => kept(aRawReceiver(serve));

describe('a receiver that answers', () => {
  it('gets one POST with the body, its length and the headers', async () => {
    const receiver = await kept(aKeepingReceiver());
    const { opened, value } = await socketsOpenedBy(() =>
      post(`${receiver.url}?a=b#c`, {}, { 'webhook-id': 'pay.1.SUCCESS' }),
    );
    expect(value).toEqual({ kind: 'answered', status: 200, body: 'ok', retryAfterSeconds: undefined });
    expect(opened).toBe(1);
    expect(receiver.received).toMatchObject([
      {
        path: '/result?a=b',
        body: 'InvId=1&custom=%D0%B9',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          'content-length': '21',
          'content-type': 'application/x-www-form-urlencoded',
          'webhook-id': 'pay.1.SUCCESS',
          'accept-encoding': 'identity',
          connection: 'close',
        },
      },
    ]);
  });

  it.each([200, 201, 204, 301, 302, 307, 400, 404, 410, 429, 500, 503])(
    '%d is told as it is',
    async (status) => {
      const receiver = await receiving((_request, response) => response.writeHead(status).end());
      expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status });
    },
  );

  it.each([
    ['120', 120],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 600],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
  ])('Retry-After: %s asks for %s seconds', async (header, retryAfterSeconds) => {
    const receiver = await receiving((_request, response) =>
      response.writeHead(503, { 'retry-after': header }).end(),
    );
    expect(await post(receiver.url)).toMatchObject({ status: 503, retryAfterSeconds });
  });

  it('is remembered by the first kilobyte, without what a terminal would obey', async () => {
    const receiver = await receiving((_request, response) =>
      response.end(`\u001b[2Jred\u0000\u202e\nline${'x'.repeat(3000)}`),
    );
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ body: expect.stringMatching(/^\ufffd\[2Jred\ufffd\ufffd\nlinex+$/) });
    expect(answer.kind === 'answered' && Buffer.byteLength(answer.body)).toBeLessThan(1100);
  });
});

describe('a hostile receiver', () => {
  it('that redirects is not followed', async () => {
    const inner = await kept(aKeepingReceiver());
    const receiver = await receiving((_request, response) =>
      response.writeHead(307, { location: inner.url }).end(),
    );
    const { opened, value } = await socketsOpenedBy(() => post(receiver.url));
    expect(value).toMatchObject({ kind: 'answered', status: 307 });
    expect({ opened, received: inner.received }).toEqual({ opened: 1, received: [] });
  });

  it('that never answers is given up at the deadline', async () => {
    const receiver = await receiving(() => undefined);
    expect(await post(receiver.url, { totalMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that keeps us waiting is told of while it does, one that answers in time is not', async () => {
    const told: string[] = [];
    const answering = Promise.withResolvers<void>();
    const late = await receiving((_request, response) => void answering.promise.then(() => response.end()));
    const prompt = await receiving((_request, response) => response.end());
    const tell = (url: string, slowMs: number, onSlow: () => void) =>
      merchantPost({ policy: 'loopback', resolve: nobodyIsAsked, now, limits: { ...generous, slowMs } }).post(
        {
          url,
          headers: {},
          body: '',
          onSlow,
        },
      );
    await tell(prompt.url, 10_000, () => told.push('prompt'));
    const answer = await tell(late.url, 20, () => {
      told.push('late');
      answering.resolve();
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(told).toEqual(['late']);
  });

  it('that never answers has its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    const receiver = await speaking((socket) => {
      void once(socket, 'close').then(() => closed.resolve());
      socket.resume();
    });
    await post(receiver.url, { totalMs: 100 });
    await closed.promise;
  });

  it('that trickles its headers byte by byte is given up at the deadline all the same', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\n'.concat('x-more: and more\r\n'.repeat(100));
    const receiver = await speaking((socket) => {
      const write = async () => {
        for (const byte of bytes) {
          if (socket.destroyed) return;
          socket.write(byte);
          await pause(5);
        }
      };
      void write();
    });
    expect(await post(receiver.url, { totalMs: 150 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that has answered and talks on, a byte at a time, is believed and left', async () => {
    const receiver = await receiving((_request, response) => {
      response.writeHead(200);
      const talk = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(talk));
    });
    const answer = await post(receiver.url, { bodyMs: 100 });
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: expect.stringMatching(/^\.*$/) });
  });

  it('whose body has no end is read to 4 KB and no further', async () => {
    let written = 0;
    const receiver = await receiving((_request, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
      response.on('close', () => response.destroy());
    });
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(1024) });
    // What the two ends buffer, and not what an endless body would be.
    expect(written).toBeLessThan(20_000_000);
  });

  it('that sends a gzip bomb has it neither unpacked nor read', async () => {
    const bomb = gzipSync(Buffer.alloc(32_000_000));
    const receiver = await receiving((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
    );
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(1024);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['hangs up at once', 'connection_closed', (socket) => socket.destroy()],
    [
      'resets the connection',
      'connection_closed',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
    ],
    ['hangs up after the request', 'connection_closed', (socket) => socket.once('data', () => socket.end())],
    [
      'speaks something else',
      'not_http',
      (socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')),
    ],
    [
      'switches protocols',
      'connection_closed',
      (socket) => socket.once('data', () => socket.write(switching)),
    ],
    [
      'sends headers without end',
      'not_http',
      (socket) => socket.once('data', () => socket.write(endlessHeaders)),
    ],
    [
      'breaks off in the headers',
      'connection_closed',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx: ')),
    ],
  ])('that %s is told as %s', async (_case, why, serve) => {
    const receiver = await speaking(serve);
    expect(await post(receiver.url)).toEqual({ kind: 'unreachable', why });
  });

  it('that says "go on" for ever is given up at the deadline', async () => {
    const receiver = await speaking((socket) => {
      const talk = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(talk));
    });
    expect(await post(receiver.url, { totalMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that breaks off its body has answered', async () => {
    const receiver = await receiving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 200, body: 'half' });
  });

  it('that accepts and never finishes the TLS handshake is given up at the connect deadline', async () => {
    const receiver = await kept(aRawReceiver(() => undefined, 'https'));
    expect(await post(receiver.url, { connectMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it.each([
    ['http://127.0.0.1/', 80],
    ['https://127.0.0.1/', 443],
  ])('at %s is called at port %i', async (url, port) => {
    const { ports } = await socketsOpenedBy(() => post(url, { totalMs: 500 }));
    expect(ports).toEqual([port]);
  });

  it('whose port is closed refuses the connection', async () => {
    const gone = await aReceiver(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await post(gone.url)).toEqual({ kind: 'unreachable', why: 'connection_refused' });
  });

  it('holds no connection open after the answer', async () => {
    const closed = Promise.withResolvers<void>();
    const receiver = await speaking((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'),
      );
      void once(socket, 'close').then(() => closed.resolve());
    });
    expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 200 });
    await closed.promise;
  });
});

describe('a name', () => {
  const named = (
    resolve: (name: string) => Promise<readonly string[]>,
    certificates = [receiverCertificate],
  ) =>
    merchantPost({ policy: 'loopback', resolve, now, limits: { ...generous, totalMs: 5_000 }, certificates });

  it('is looked up once, and the socket goes to the address that was checked', async () => {
    const hosts: unknown[] = [];
    const receiver = await kept(
      aSecureReceiver((request, response) => {
        hosts.push(request.headers.host, 'servername' in request.socket && request.socket.servername);
        response.end();
      }),
    );
    // The second answer would lead into a private network.
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];

    const answer = await named(resolve).post({ url: receiver.url, headers: {}, body: '' });

    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(asked).toBe(1);
    expect(hosts).toEqual([`shop.example.com:${receiver.port}`, 'shop.example.com']);
  });

  it('must be the one in the certificate', async () => {
    const receiver = await kept(aSecureReceiver((_request, response) => response.end()));
    const resolve = async () => ['127.0.0.1'];
    const other = receiver.url.replace('shop.example.com', 'other.example.com');
    expect(await named(resolve).post({ url: other, headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'bad_certificate',
    });
  });

  it('must have a certificate that is trusted', async () => {
    const receiver = await kept(aSecureReceiver((_request, response) => response.end()));
    const plain = merchantPost({ policy: 'loopback', resolve: async () => ['127.0.0.1'], now });
    expect(await plain.post({ url: receiver.url, headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'bad_certificate',
    });
  });

  it('that speaks no TLS is told so', async () => {
    const receiver = await kept(aRawReceiver((socket) => socket.end('220 smtp ready\r\n'), 'https'));
    expect(await post(receiver.url)).toEqual({ kind: 'unreachable', why: 'tls_failed' });
  });

  it('that has no address is not found', async () => {
    const open = merchantPost({ policy: 'public', resolve: notFound, now, limits: generous });
    expect(await open.post({ url: 'https://shop.example.com/', headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'name_not_found',
    });
  });

  it('whose name server never answers is given up at the deadline', async () => {
    const silent = merchantPost({
      policy: 'public',
      resolve: () => new Promise(() => undefined),
      now,
      limits: { ...generous, totalMs: 50 },
    });
    expect(await silent.post({ url: 'https://shop.example.com/', headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'timeout',
    });
  });
});

const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
const endlessHeaders = `HTTP/1.1 200 OK\r\n${'x-more: and more\r\n'.repeat(4000)}`;
const notFound = async (): Promise<readonly string[]> => {
  throw new Error('no such name');
};
