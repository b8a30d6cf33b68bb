import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import type { Limits } from '../../lib/provider/post-to-address.ts';
import {
  aRecordingReceiver,
  aRawReceiver,
  aReceiver,
  aSecureReceiver,
  type Receiver,
} from '../support/receiver.ts';
import { receiverCertificate } from '../support/receiver-certificate.ts';
import { socketsOpenedBy } from '../support/socket-count.ts';

const generous: Limits = { totalMs: 10_000, connectMs: 10_000, bodyMs: 10_000, slowMs: 10_000 };
const noLookup = async (): Promise<readonly string[]> => {
  throw new Error('no name is looked up here');
};
const now = () => new Date('2026-11-21T12:00:00Z');

const post = (url: string, limits: Partial<Limits> = {}, headers: Record<string, string> = {}) =>
  merchantPost({ policy: 'loopback', resolve: noLookup, now, limits: { ...generous, ...limits } }).post({
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: 'InvId=1&custom=%D0%B9',
  });

async function disposedAfterTest<R extends Receiver>(receiver: Promise<R>): Promise<R> {
  const started = await receiver;
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}
const receiving = (answer: RequestListener) => disposedAfterTest(aReceiver(answer));
const speaking = (serve: (socket: Socket) => void) => disposedAfterTest(aRawReceiver(serve));

describe('a receiver that answers', () => {
  it('gets one POST with the body, its length and the headers', async () => {
    const receiver = await disposedAfterTest(aRecordingReceiver());
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
    '%d is returned unchanged',
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

  it('has the first kilobyte of its answer recorded, without control characters', async () => {
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
    const inner = await disposedAfterTest(aRecordingReceiver());
    const receiver = await receiving((_request, response) =>
      response.writeHead(307, { location: inner.url }).end(),
    );
    const { opened, value } = await socketsOpenedBy(() => post(receiver.url));
    expect(value).toMatchObject({ kind: 'answered', status: 307 });
    expect({ opened, received: inner.received }).toEqual({ opened: 1, received: [] });
  });

  it('that never answers times out', async () => {
    const receiver = await receiving(() => undefined);
    expect(await post(receiver.url, { totalMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that is slow is reported while it is waited for; one that answers in time is not', async () => {
    const reported: string[] = [];
    const answering = Promise.withResolvers<void>();
    const late = await receiving((_request, response) => void answering.promise.then(() => response.end()));
    const prompt = await receiving((_request, response) => response.end());
    const postTo = (url: string, slowMs: number, onSlow: () => void) =>
      merchantPost({ policy: 'loopback', resolve: noLookup, now, limits: { ...generous, slowMs } }).post({
        url,
        headers: {},
        body: '',
        onSlow,
      });
    await postTo(prompt.url, 10_000, () => reported.push('prompt'));
    const answer = await postTo(late.url, 20, () => {
      reported.push('late');
      answering.resolve();
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(reported).toEqual(['late']);
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

  it('that sends its headers byte by byte times out', async () => {
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

  it('whose body arrives byte by byte after the status has answered', async () => {
    const receiver = await receiving((_request, response) => {
      response.writeHead(200);
      const talk = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(talk));
    });
    const answer = await post(receiver.url, { bodyMs: 100 });
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: expect.stringMatching(/^\.*$/) });
  });

  it('whose body is endless is read up to 4 KB', async () => {
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
    // Both ends buffer some of it, but not an endless body.
    expect(written).toBeLessThan(20_000_000);
  });

  it('that sends a gzip bomb has it neither decompressed nor read', async () => {
    const bomb = gzipSync(Buffer.alloc(32_000_000));
    const receiver = await receiving((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
    );
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(1024);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['closes the connection immediately', 'connection_closed', (socket) => socket.destroy()],
    [
      'resets the connection',
      'connection_closed',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
    ],
    [
      'closes the connection after the request',
      'connection_closed',
      (socket) => socket.once('data', () => socket.end()),
    ],
    [
      'uses another protocol',
      'not_http',
      (socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')),
    ],
    [
      'switches protocols',
      'connection_closed',
      (socket) => socket.once('data', () => socket.write(switching)),
    ],
    [
      'sends endless headers',
      'not_http',
      (socket) => socket.once('data', () => socket.write(endlessHeaders)),
    ],
    [
      'closes the connection within the headers',
      'connection_closed',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx: ')),
    ],
  ])('that %s is reported as %s', async (_case, why, serve) => {
    const receiver = await speaking(serve);
    expect(await post(receiver.url)).toEqual({ kind: 'unreachable', why });
  });

  it('that sends 100 Continue without end times out', async () => {
    const receiver = await speaking((socket) => {
      const talk = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(talk));
    });
    expect(await post(receiver.url, { totalMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that closes the connection within its body has answered', async () => {
    const receiver = await receiving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 200, body: 'half' });
  });

  it('that never completes the TLS handshake times out at the connect deadline', async () => {
    const receiver = await disposedAfterTest(aRawReceiver(() => undefined, 'https'));
    expect(await post(receiver.url, { connectMs: 100 })).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it.each([
    ['http://127.0.0.1/', 80],
    ['https://127.0.0.1/', 443],
  ])('at %s is called on port %i', async (url, port) => {
    const { ports } = await socketsOpenedBy(() => post(url, { totalMs: 500 }));
    expect(ports).toEqual([port]);
  });

  it('whose port is closed is reported as connection_refused', async () => {
    const gone = await aReceiver(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await post(gone.url)).toEqual({ kind: 'unreachable', why: 'connection_refused' });
  });

  it('has its connection closed after the answer', async () => {
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

  it('is resolved once, and the socket connects to the checked address', async () => {
    const hosts: unknown[] = [];
    const receiver = await disposedAfterTest(
      aSecureReceiver((request, response) => {
        hosts.push(request.headers.host, 'servername' in request.socket && request.socket.servername);
        response.end();
      }),
    );
    // A second lookup would return an address in a private network.
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const resolve = async () => answers[lookups++] ?? [];

    const answer = await named(resolve).post({ url: receiver.url, headers: {}, body: '' });

    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(lookups).toBe(1);
    expect(hosts).toEqual([`shop.example.com:${receiver.port}`, 'shop.example.com']);
  });

  it('must match the certificate', async () => {
    const receiver = await disposedAfterTest(aSecureReceiver((_request, response) => response.end()));
    const resolve = async () => ['127.0.0.1'];
    const other = receiver.url.replace('shop.example.com', 'other.example.com');
    expect(await named(resolve).post({ url: other, headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'bad_certificate',
    });
  });

  it('must have a trusted certificate', async () => {
    const receiver = await disposedAfterTest(aSecureReceiver((_request, response) => response.end()));
    const plain = merchantPost({ policy: 'loopback', resolve: async () => ['127.0.0.1'], now });
    expect(await plain.post({ url: receiver.url, headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'bad_certificate',
    });
  });

  it('whose server does not support TLS is reported as tls_failed', async () => {
    const receiver = await disposedAfterTest(
      aRawReceiver((socket) => socket.end('220 smtp ready\r\n'), 'https'),
    );
    expect(await post(receiver.url)).toEqual({ kind: 'unreachable', why: 'tls_failed' });
  });

  it('without an address is reported as name_not_found', async () => {
    const open = merchantPost({ policy: 'public', resolve: notFound, now, limits: generous });
    expect(await open.post({ url: 'https://shop.example.com/', headers: {}, body: '' })).toEqual({
      kind: 'unreachable',
      why: 'name_not_found',
    });
  });

  it('whose name server never answers times out', async () => {
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
