import * as fc from 'fast-check';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { create } from '../../functions/fallback.ts';
import { apiEvent } from '../support/api-event.ts';

const publicUrl = 'https://pay.example';
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

type Sent = {
  readonly method?: string;
  readonly accept?: string;
  /** As the client sees the path: under the API's own URL the stage comes first. */
  readonly stage?: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
};

async function send(path: string, { method = 'GET', accept = '*/*', stage = '', query = {} }: Sent = {}) {
  const event = apiEvent('GET', { headers: { Accept: accept, 'accept-language': 'en' }, query });
  const requestContext = { ...event.requestContext, path: `${stage}${path}` };
  return create({ nonce: () => 'NONCE', publicUrl })({ ...event, path, httpMethod: method, requestContext });
}

const unknown = '{"success":false,"message":"Not found."}';
const typeOf = ({ headers }: Awaited<ReturnType<typeof send>>): string =>
  String(headers?.['Content-Type'] ?? headers?.['content-type']);

describe('a path that no route has', () => {
  it.each(['/nowhere', '/link', '/transfer', '/acquirer/notification', '/apiary', '/.env'])(
    '%s is a page to a browser',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await send(path, { method, accept: browser });
        expect(answer.statusCode).toBe(404);
        expect(typeOf(answer)).toBe('text/html; charset=utf-8');
        expect(answer.headers?.['Content-Security-Policy']).toContain("default-src 'none'");
        expect(answer.body.includes('data-outcome="no_page"')).toBe(method === 'GET');
      }
    },
  );

  it.each([
    ['a client that takes anything', '/nowhere', { accept: '*/*' }],
    ['a client that takes JSON', '/nowhere', { accept: 'application/json' }],
    ['a client that says nothing', '/', { accept: '' }],
    ['a browser below /api', '/api/v2/x', { accept: browser }],
    ['a browser at /api', '/api', { accept: browser }],
    ['a browser below /API', '/API/V1', { accept: browser }],
    ['a form', '/nowhere', { accept: browser, method: 'POST' }],
    ['a method that the route has not', '/link/x', { accept: browser, method: 'DELETE' }],
    ['a form to an icon', '/favicon.ico', { method: 'POST' }],
  ])('is the API’s JSON to %s', async (_case, path, sent) => {
    const answer = await send(path, sent);
    expect([answer.statusCode, typeOf(answer), answer.body]).toEqual([404, 'application/json', unknown]);
  });
});

describe('the root', () => {
  it('says what this is, and leads to the description of the API', async () => {
    const answer = await send('/', { accept: browser });
    const page = parse(answer.body);
    expect(answer.statusCode).toBe(200);
    expect(page.querySelector('main')?.text).toContain('Shops take card payments here');
    expect(page.querySelector('main a')?.getAttribute('href')).toBe(`${publicUrl}/openapi.json`);
  });
});

describe('what browsers and robots ask for by themselves', () => {
  it.each([
    ['/favicon.ico', 'image/svg+xml', '<svg'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n'],
  ])('%s is there', async (path, type, begin) => {
    const answer = await send(path);
    expect([answer.statusCode, typeOf(answer)]).toEqual([200, type]);
    expect(answer.body.startsWith(begin)).toBe(true);
    expect(await send(path, { method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' });
  });
});

describe('a path with empty segments', () => {
  it.each([
    ['//api/v1/bill/create', '/api/v1/bill/create', {}],
    ['/api//v1///bill/status', '/api/v1/bill/status', {}],
    ['//', '/', {}],
    ['/link//', '/link', {}],
    ['//link/x', '/live/link/x', { stage: '/live' }],
    ['//link/x', '/link/x?lang=en&a=1&a=%26', { query: { lang: ['en'], a: ['1', '&'] } }],
    ['//evil.example/x', '/evil.example/x', {}],
    ['/\\\\evil.example//x', '/%5C%5Cevil.example/x', {}],
    ['//\\evil.example', '/%5Cevil.example', {}],
    ['//a\r\nSet-Cookie: x', '/a%0D%0ASet-Cookie:%20x', {}],
    ['//%2f%2fevil.example', '/%2f%2fevil.example', {}],
    ['//\u043a\ud800', '/%D0%BA%EF%BF%BD', {}],
  ])('%j is redirected to %j', async (path, location, sent) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await send(path, { ...sent, method });
      expect([answer.statusCode, answer.headers?.['Location'], answer.body]).toEqual([308, location, '']);
    }
  });

  it('is never redirected to another host, nor twice', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '\\',
        '.',
        '..',
        '@',
        ':',
        '?',
        '#',
        '%',
        '%2f',
        '%5c',
        'evil.example',
        '\t',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const answer = await send(`//${pieces.join('')}`);
        const location = String(answer.headers?.['Location']);
        expect(answer.statusCode).toBe(308);
        expect(location).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(new URL(location, publicUrl).origin).toBe(publicUrl);
        expect((await send(location)).statusCode).not.toBe(308);
      }),
      { numRuns: 500 },
    );
  });
});
