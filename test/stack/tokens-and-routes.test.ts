import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { contract } from '../../lib/contract/routes.ts';
import { get, newBill, post } from '../support/merchant-calls.ts';
import { openForm, sendForm } from '../support/payer-steps.ts';
import { type Raw, rawRequest } from '../support/raw-request.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { type Tables, tablesOf } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

let stack: Stack;
let operator: Operator;
let tables: Tables;

beforeAll(async () => {
  stack = await startStack();
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
});

const send = (path: string, raw: Raw = {}) => rawRequest(stack.baseUrl, path, raw);
const unauthenticated = { status: 401, body: '{"message":"Unauthenticated."}' };
const notFound = { status: 404, body: '{"success":false,"message":"Not found."}' };

const spoilt = (token: string): string => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;

describe('a token that is not a merchant’s', () => {
  const wrong: readonly (readonly [string, (token: string) => Raw['headers']])[] = [
    ['missing', () => ({})],
    ['empty', () => ({ authorization: '' })],
    ['a scheme alone', () => ({ authorization: 'Bearer' })],
    ['a scheme and spaces', () => ({ authorization: 'Bearer   ' })],
    ['without a scheme', (token) => ({ authorization: token })],
    ['of another scheme', (token) => ({ authorization: `Basic ${token}` })],
    ['in base64', (token) => ({ authorization: `Basic ${btoa(`${token}:`)}` })],
    ['unknown', () => ({ authorization: `Bearer pl_test_${'a'.repeat(49)}` })],
    ['one character off', (token) => ({ authorization: `Bearer ${spoilt(token)}` })],
    ['cut short', (token) => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
    ['with something behind it', (token) => ({ authorization: `Bearer ${token} x` })],
    ['twice', (token) => ({ authorization: `Bearer ${token}, Bearer ${token}` })],
    ['in upper case', (token) => ({ authorization: `Bearer ${token.toUpperCase()}` })],
    ['in quotes', (token) => ({ authorization: `Bearer "${token}"` })],
    ['of other letters', () => ({ authorization: `Bearer ${'\u00e9'.repeat(60)}` })],
    ['a path', () => ({ authorization: 'Bearer ../../../../etc/passwd' })],
    ['a wildcard', () => ({ authorization: 'Bearer *******************************' })],
    ['very long', () => ({ authorization: `Bearer ${'a'.repeat(7000)}` })],
    ['in another header', (token) => ({ 'x-api-key': token })],
  ];

  it.each(wrong)('is refused with the same text: %s', async (_case, headers) => {
    for (const path of ['/api/v1/merchant/balance', '/api/v1/bill/status?id=x']) {
      const answer = await send(path, { headers: headers(stack.demo.apiToken) ?? {} });
      expect(answer).toMatchObject(unauthenticated);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json' });
    }
  });

  it('is refused at every endpoint alike, before the request is read', async () => {
    for (const { method, path } of contract) {
      const body = method === 'POST' ? { body: '{"amount":' } : {};
      const headers = { authorization: 'Bearer nobody', 'content-type': 'application/json' };
      expect(await send(path, { method, headers, ...body })).toMatchObject(unauthenticated);
    }
  });

  it('does not call the authorizer when its shape is not a token’s', async () => {
    const broken = await startStack({ variables: { TABLE_NAME: '' } });
    onTestFinished(() => broken.stop());
    const ask = (authorization: string) =>
      rawRequest(broken.baseUrl, '/api/v1/merchant/balance', { headers: { authorization } });

    for (const header of ['Bearer', 'Bearer x', `Basic ${'a'.repeat(40)}`, `Bearer ${'a'.repeat(201)}`])
      expect(await ask(header)).toMatchObject(unauthenticated);
    expect(await ask(`Bearer ${'a'.repeat(40)}`)).toMatchObject({ status: 500 });
  });

  it('in the query or the body does not count', async () => {
    const { apiToken } = stack.demo;
    expect(
      await send(`/api/v1/merchant/balance?token=${apiToken}&Authorization=Bearer%20${apiToken}`),
    ).toMatchObject(unauthenticated);
  });
});

describe('the token', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])(
    'is taken after "%s", whatever the case of the header',
    async (scheme) => {
      for (const name of ['Authorization', 'authorization', 'AUTHORIZATION']) {
        const headers = { [name]: `${scheme} ${stack.demo.apiToken}` };
        expect((await send('/api/v1/merchant/balance', { headers })).status).toBe(200);
      }
    },
  );

  it('that was replaced is refused from the next call on, and the new one is accepted', async () => {
    const { merchantId, apiToken: old } = await operator.json('merchant create Refreshing');
    const { shopId } = await operator.json(`shop create ${merchantId} --name Shop`);
    const account = (apiToken: string) => ({ baseUrl: stack.baseUrl, apiToken, shopId });
    expect((await get(account(old), 'merchant/balance')).status).toBe(200);

    for (let before = old, round = 0; round < 5; round += 1) {
      const { apiToken } = await operator.json(`token refresh ${merchantId}`);
      expect(await get(account(before), 'merchant/balance')).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      });
      expect((await post(account(before), 'bill/create', { amount: '1', shop_id: shopId })).status).toBe(401);
      expect((await newBill(account(apiToken))).billId).toHaveLength(16);
      before = apiToken;
    }
  });

  it('of a banned merchant is known, and its requests are refused', async () => {
    const { merchantId, apiToken } = await operator.json('merchant create Banned');
    await operator.json(`merchant ban ${merchantId}`);
    const account = { baseUrl: stack.baseUrl, apiToken, shopId: '' };
    expect(await get(account, 'bill/status', { id: 'x' })).toMatchObject({
      status: 403,
      body: { success: false, message: 'api:error.merchant_banned' },
    });
  });
});

describe('an unknown route', () => {
  const bodies = [
    [undefined, undefined],
    ['application/x-www-form-urlencoded', 'a=1'],
    ['application/json', '{"a":1}'],
    ['application/json', '{"a":'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    ],
    ['text/plain', 'a'],
    ['application/xml', '<a/>'],
    ['application/octet-stream', '\0\0'],
    ['image/png', '\0'],
    ['nonsense', 'a'],
  ] as const;
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
  const paths = [
    '/',
    '/api',
    '/api/v1',
    '/api/v1/bill',
    '/api/v1/bill/unknown',
    '/api/v2/bill/create',
    '/API/V1/BILL/STATUS',
    '/bill/toggle_activity',
    '/api/v1/payout/dictionaries',
    '/transfer',
    '/link/a/b',
    '/result',
    '/acquirer',
    '/redirect/payment',
    '/sandbox',
    '/.env',
    '/a%2fb/%00',
    '/%F0%9F%92%B8',
  ];

  it.each(methods)(
    'is not found by %s, whatever the body, and nothing of the request comes back',
    async (method) => {
      const authorization = `Bearer ${stack.demo.apiToken}`;
      for (const [at, path] of paths.entries()) {
        const [type, text] = bodies[at % bodies.length]!;
        const headers = { authorization, 'x-secret': 'canary-header', ...(type && { 'content-type': type }) };
        const body = method === 'GET' || method === 'HEAD' || text === undefined ? {} : { body: text };
        const answer = await send(path, { method, headers, ...body });
        expect(answer).toMatchObject(method === 'HEAD' ? { status: 404, body: '' } : notFound);
        expect(answer.headers).toMatchObject({ 'content-type': 'application/json' });
        expect(JSON.stringify(answer)).not.toMatch(/canary|pl_test/);
      }
    },
  );

  it.each(bodies)('is not found with a body of %s', async (type, body) => {
    const headers = type ? { 'content-type': type } : {};
    expect(
      await send('/nowhere/at/all', { method: 'POST', headers, ...(body !== undefined && { body }) }),
    ).toMatchObject(notFound);
  });

  it('is a page to a browser, except below /api, and echoes nothing of the request', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of paths) {
      const headers = { accept, authorization: `Bearer ${stack.demo.apiToken}`, 'x-secret': 'canary-header' };
      const answer = await send(path, { headers });
      const isJson = /^\/api(\/|$)/i.test(path);
      const isSandbox = path.startsWith('/sandbox/');
      if (isJson) expect(answer).toMatchObject(notFound);
      else if (!isSandbox) expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect([path, answer.status]).toEqual([path, path === '/' ? 200 : 404]);
      expect(JSON.stringify(answer)).not.toMatch(/canary|pl_test/);
      if (!isJson) expect(await send(path, { method: 'POST', headers, body: 'a=1' })).toMatchObject(notFound);
    }
  });

  it('with empty segments is redirected to the route without them, for every method', async () => {
    const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
    for (const path of ['//api/v1/merchant/balance?a=1', '/api//v1/merchant//balance?a=1'])
      for (const method of methods)
        expect(await send(path, { method, headers })).toMatchObject({
          status: 308,
          body: '',
          headers: { location: '/api/v1/merchant/balance?a=1' },
        });
    const { billId } = await newBill(stack.demo);
    const page = await fetch(`${stack.baseUrl}//transfer//${billId}`);
    expect([page.status, page.redirected]).toEqual([200, true]);
    const bill = await fetch(`${stack.baseUrl}//api/v1/bill/create`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ amount: '1', shop_id: stack.demo.shopId }),
    });
    expect(await bill.json()).toMatchObject({ success: 'true' });
  });

  it('and an unknown method of a route are the same', async () => {
    const others = methods.filter((method) => method !== 'GET' && method !== 'POST');
    const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
    for (const { method, path } of contract) {
      for (const other of [...others, method === 'GET' ? 'POST' : 'GET']) {
        const answer = await send(path, { method: other, headers });
        expect([path, other, answer.status]).toEqual([path, other, 404]);
        if (other !== 'HEAD') expect(answer).toMatchObject(notFound);
      }
    }
  });
});

describe('every answer', () => {
  const asked: readonly (readonly [string, Raw, status: number])[] = [
    ['/api/v1/merchant/balance', { headers: { authorization: 'Bearer nobody' } }, 401],
    ['/api/v1/merchant/balance', {}, 401],
    ['/api/v1/nowhere', {}, 404],
    ['/api/v1/nowhere', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a' }, 404],
    ['/nowhere', {}, 404],
    ['/%', {}, 422],
    ['/api/v1/bill/create', { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) }, 413],
    ['/acquirer/notification', { method: 'POST', body: '{}' }, 404],
    ['/acquirer/yookassa/no-secret', { method: 'POST', body: '{}' }, 404],
    ['/sandbox/books', {}, 401],
    ['/sandbox/card/x', {}, 404],
    ['/openapi.json', {}, 200],
    ['/link/x', {}, 404],
  ];

  it.each(asked)('at %s has HSTS and nosniff', async (path, raw, status) => {
    const answer = await send(path, raw);
    expect(answer).toMatchObject({
      status,
      headers: { 'strict-transport-security': 'max-age=31536000', 'x-content-type-options': 'nosniff' },
    });
  });

  it('of the API has them too, for success and refusal', async () => {
    const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
    for (const path of ['merchant/balance', 'bill/status?id=x', 'bill/status'])
      expect((await send(`/api/v1/${path}`, { headers })).headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      });
  });
});

describe('a route', () => {
  it('may end in a slash', async () => {
    const { demo } = stack;
    const { billId } = await newBill(demo);
    expect(await get(demo, 'bill/status/', { id: billId })).toMatchObject({
      status: 200,
      body: { id: billId },
    });
    expect((await get(demo, 'merchant/balance/')).status).toBe(200);
    expect((await post(demo, 'bill/create/', { amount: '1', shop_id: demo.shopId })).status).toBe(200);
    for (const page of [`/transfer/${billId}/`, `/link/${billId}/`, '/openapi.json/']) {
      expect([page, (await send(page)).status]).toEqual([page, 200]);
    }
  });

  it('of a payer’s page answers HEAD as GET, without a body and without a call to the acquirer', async () => {
    const { billId: open } = await newBill(stack.demo);
    const { billId: begun } = await newBill(stack.demo);
    const started = new URL(`/transfer/${begun}`, stack.baseUrl);
    await sendForm(started, await openForm(started));
    const before = await tables.items();
    const asked = () => stack.logs().filter((line) => /gateway \S+ \/sandbox\//.test(line)).length;
    const askedBefore = asked();
    expect(askedBefore).toBeGreaterThan(0);

    for (const path of [`/link/${open}`, `/transfer/${open}`, '/link/x', '/transfer/x', `/link/${begun}`]) {
      const [head, got] = [await send(path, { method: 'HEAD' }), await send(path)];
      expect([path, head.status, head.body]).toEqual([path, got.status, '']);
      const policy = (answer: typeof got) =>
        String(answer.headers['content-security-policy']).replaceAll(/nonce-\S+/g, '');
      expect(policy(head)).toBe(policy(got));
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
    }
    expect((await send(`/transfer/${begun}`, { method: 'HEAD' })).status).toBe(200);
    expect(asked()).toBe(askedBefore);
    expect(await tables.items()).toEqual(before);
  });

  it('reads header names in any case, as HTTP/1 clients may send them', async () => {
    const { shopId, apiToken } = stack.demo;
    const answer = await send('/api/v1/bill/create', {
      method: 'POST',
      headers: { AUTHORIZATION: `Bearer ${apiToken}`, 'CONTENT-TYPE': 'APPLICATION/JSON; CHARSET=UTF-8' },
      body: JSON.stringify({ amount: 1, shop_id: shopId }),
    });
    expect(answer.status).toBe(200);
  });

  it('has a page for an unknown bill or payment', async () => {
    for (const path of [
      '/link/x',
      '/transfer/x',
      '/transfer/%00',
      '/result/x',
      `/transfer/${'x'.repeat(3000)}`,
    ]) {
      const answer = await send(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers['content-type']).toMatch(/^text\/html/);
    }
  });
});

it('made no call that the roles do not allow', () => {
  expect(stack.refusals()).toEqual([]);
});
