import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { create as acquirerNotification } from '../../functions/acquirer-notification.ts';
import { create as providerNotification } from '../../functions/provider-notification.ts';
import { create as fallback } from '../../functions/fallback.ts';
import { create as linkPage } from '../../functions/link-page.ts';
import { create as openapi } from '../../functions/openapi.ts';
import { create as payPage } from '../../functions/pay-page.ts';
import { create as paySubmit } from '../../functions/pay-submit.ts';
import { create as redirectPage } from '../../functions/redirect-page.ts';
import { create as resultPage } from '../../functions/result-page.ts';
import { create as sandbox } from '../../functions/sandbox.ts';
import { publicRoutes, sandboxRoutes } from '../../lib/contract/routes.ts';
import { apiEvent } from '../support/api-event.ts';
import { billId, paymentId } from '../support/builders.ts';
import { paymentHarness, publicUrl } from '../support/payment-harness.ts';
import { sandboxSecret } from '../support/sandbox.ts';
import { addresses, noPayouts } from '../support/yookassa-harness.ts';

const megabyte = 1024 * 1024;
const hostile = 'a&'.repeat(2.5 * megabyte);

/** What the platform's own parsers are given, whoever calls them. */
let parsed: string[] = [];

beforeEach(() => {
  parsed = [];
  const parseJson = JSON.parse;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    parsed.push(text);
    return parseJson(text, reviver);
  });
  vi.stubGlobal(
    'URLSearchParams',
    class extends URLSearchParams {
      constructor(init?: ConstructorParameters<typeof URLSearchParams>[0]) {
        if (typeof init === 'string') parsed.push(init);
        super(init);
      }
    },
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function publicFunctions() {
  const harness = await paymentHarness();
  const ports = {
    ...harness,
    publicUrl,
    nonce: () => 'NONCE',
    opener: { open: async () => 'token' },
    plainHttp: false,
  };
  const handlers: Readonly<Record<string, (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>>> =
    {
      'acquirer-notification': acquirerNotification(ports),
      'provider-notification': providerNotification({ payments: ports, payouts: noPayouts, addresses }),
      fallback: fallback(ports),
      'link-page': linkPage(ports),
      openapi: openapi(ports),
      'pay-page': payPage(ports),
      'pay-submit': paySubmit(ports),
      'redirect-page': redirectPage(ports),
      'result-page': resultPage(ports),
      sandbox: sandbox(harness.sandbox),
    };
  return handlers;
}

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly base64?: boolean;
};

async function send(name: string, { method, path, body, base64 = false }: Sent) {
  const handler = (await publicFunctions())[name];
  if (!handler) throw new Error(`${name} is a public function that this test does not know`);
  const [, value = ''] = /^\/(?:link|transfer|result|sandbox)\/(.*)$/.exec(path) ?? [];
  const event = apiEvent('POST', { headers: { Authorization: `Bearer ${sandboxSecret}` } });
  return handler({
    ...event,
    httpMethod: method,
    path,
    pathParameters: value === '' ? null : { [path.startsWith('/sandbox') ? 'proxy' : 'id']: value },
    body: base64 ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: base64,
  });
}

/** Every way in for a stranger: with an id of the right shape, and with one that can be none. */
const ways = [...publicRoutes, ...sandboxRoutes].flatMap(({ function: name, methods, paths }) =>
  methods
    .flatMap((method) => (method === 'ANY' ? ['GET', 'HEAD', 'POST', 'PUT'] : [method]))
    .flatMap((method) => paths.flatMap(examplesOf).map((path) => ({ name, method, path }))),
);

function examplesOf(path: string): readonly string[] {
  if (path === '/{proxy+}') return ['/nowhere', '/link', '//transfer/x'];
  const below = ['acquirer/orders', 'rail/transfers', `card/${paymentId}.x`, '3ds/x', 'nowhere'];
  if (path.endsWith('/{proxy+}')) return below.map((each) => path.replace('{proxy+}', each));
  const ids = [path.includes('{payment}') ? paymentId : billId, 'x'];
  return path.includes('{') ? ids.map((id) => path.replace(/\{\w+\}/, id)) : [path];
}

const isPage = (path: string): boolean =>
  /^\/(?:link|transfer|result|redirect|sandbox\/(?:card|3ds))\//.test(path);

describe('5 MB of `a&`', () => {
  it.each(ways)('sent by $method to $path is never parsed', async ({ name, method, path }) => {
    const answer = await send(name, { method, path, body: hostile });

    expect(parsed.filter((text) => text.length > 10_000)).toEqual([]);
    expect(answer.statusCode).toBeLessThan(500);
    if (method === 'GET' || method === 'HEAD' || name === 'fallback' || path === '/sandbox/nowhere') return;
    expect(answer.statusCode).toBe(413);
    const type = isPage(path) ? /^text\/html/ : /^application\/json/;
    expect(
      new Headers(Object.entries(answer.headers ?? {}).map(([k, v]) => [k, String(v)])).get('content-type'),
    ).toMatch(type);
  });
});

describe('a body', () => {
  const formOf = (bytes: number): string => `canary=${'x'.repeat(bytes - 'canary='.length)}`;
  const seen = (): boolean => parsed.some((text) => text.includes('canary'));
  const limits = [
    ['pay-submit', `/transfer/${billId}`, 8],
    ['result-page', `/result/${paymentId}`, 8],
    ['redirect-page', '/redirect/payment/success', 64],
    ['acquirer-notification', '/acquirer/notification', 64],
    ['provider-notification', '/acquirer/yookassa/secret', 64],
    ['sandbox', '/sandbox/acquirer/orders', 8],
    ['sandbox', `/sandbox/card/${paymentId}.x`, 8],
  ] as const;

  it.each(limits)('to %s at %s is taken up to %i KB, and not a byte above', async (name, path, kilobytes) => {
    for (const base64 of [false, true]) {
      const status = async (bytes: number) =>
        (await send(name, { method: 'POST', path, body: formOf(bytes), base64 })).statusCode;
      expect(await status(kilobytes * 1024)).not.toBe(413);
      expect(await status(kilobytes * 1024 + 1)).toBe(413);
    }
  });

  it('is parsed on no page before the id has the shape of an id', async () => {
    for (const path of ['/transfer/x', `/transfer/${'a'.repeat(17)}`, '/result/..%2f', '/sandbox/card/x'])
      for (const name of path.startsWith('/sandbox') ? ['sandbox'] : ['pay-submit', 'result-page'])
        await send(name, { method: 'POST', path, body: formOf(100) });
    expect(seen()).toBe(false);

    await send('pay-submit', { method: 'POST', path: `/transfer/${billId}`, body: formOf(100) });
    expect(seen()).toBe(true);
  });

  it.each(['GET', 'HEAD'])('is parsed by no %s', async (method) => {
    await send('redirect-page', { method, path: '/redirect/payment/success', body: formOf(100) });
    await send('pay-page', { method, path: `/transfer/${billId}`, body: formOf(100) });
    await send('sandbox', { method, path: `/sandbox/card/${paymentId}.x`, body: formOf(100) });
    expect(seen()).toBe(false);
  });
});
