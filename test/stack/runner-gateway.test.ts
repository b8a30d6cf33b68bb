import { describe, expect, it } from 'vitest';
import { ask, authorizer, calls, echo, gatewayResponse, mock, path, run } from './runner-kit.ts';

const notFound = '{"message":"Not found."}';
const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

const tree = {
  Bill: path('bill'),
  BillId: path('{id}', 'Bill'),
  Status: path('status', 'Bill'),
  Files: path('files'),
  AnyFile: path('{proxy+}', 'Files'),
  Rest: path('{proxy+}'),
  OnBill: calls('echo', 'Bill', { method: 'POST' }),
  OnBillId: calls('echo', 'BillId', { method: 'GET' }),
  OnStatus: calls('echo', 'Status', { method: 'GET' }),
  OnFiles: calls('echo', 'AnyFile'),
  OnRoot: mock(root, 404, notFound),
  OnRest: mock({ Ref: 'Rest' }, 404, notFound),
  NoMethod: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 404, notFound),
  NoTemplate: gatewayResponse('UNSUPPORTED_MEDIA_TYPE', 404, notFound),
  TooLarge: gatewayResponse('REQUEST_TOO_LARGE', 413, '{"message":"Too large."}'),
  OurFault: gatewayResponse('DEFAULT_5XX', undefined, '{"message":"general"}'),
};

const start = () => run({ functions: { echo: { code: echo } }, resources: tree });

describe('the gateway here', () => {
  it.each([
    ['/bill/status', 'GET', '/bill/status', null],
    ['/bill/status/', 'GET', '/bill/status', null],
    ['/bill/a%20b', 'GET', '/bill/{id}', { id: 'a b' }],
    ['/files/a/b.png', 'GET', '/files/{proxy+}', { proxy: 'a/b.png' }],
    ['/files/a', 'DELETE', '/files/{proxy+}', { proxy: 'a' }],
  ])('leads %s %s to %s', async (where, method, resource, pathParameters) => {
    const runner = await start();

    const { status, text } = await ask(runner, where, { method });

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ resource, pathParameters, path: where, httpMethod: method });
  });

  it.each([
    ['an unknown path', '/nowhere', { method: 'GET' }],
    ['an unknown path below a known one', '/bill/a/b', { method: 'GET' }],
    ['the root', '/', { method: 'OPTIONS' }],
    ['another method', '/bill/status', { method: 'PUT' }],
    [
      'a form, for which the mock has no template',
      '/nowhere',
      { method: 'POST', body: new URLSearchParams('a=b') },
    ],
  ])('answers its 404 to %s', async (_case, where, init) => {
    const { status, text } = await ask(await start(), where, init);

    expect({ status, text }).toEqual({ status: 404, text: notFound });
  });

  it('passes the request on as API Gateway does', async () => {
    const runner = await start();

    const { text } = await ask(runner, '/bill?a=1&a=2&b=%26+', {
      method: 'POST',
      headers: { 'X-Custom': 'kept', 'Content-Type': 'text/plain' },
      body: 'тело',
    });

    expect(JSON.parse(text)).toMatchObject({
      queryStringParameters: { a: '2', b: '& ' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: ['& '] },
      headers: { 'X-Custom': 'kept', 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '127.0.0.1' },
      multiValueHeaders: { 'X-Custom': ['kept'] },
      body: 'тело',
      isBase64Encoded: false,
      requestContext: {
        stage: 'live',
        domainName: runner.baseUrl.slice('http://'.length),
        identity: { sourceIp: '127.0.0.1' },
      },
    });
  });

  it('has null for absent parts', async () => {
    const { text } = await ask(await start(), '/bill', { method: 'POST' });

    expect(JSON.parse(text)).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  it('encodes only the media types that the API calls binary', async () => {
    const runner = await start();

    const { text } = await ask(runner, '/bill', {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body: new Uint8Array([0, 255]),
    });

    expect(JSON.parse(text)).toMatchObject({ body: 'AP8=', isBase64Encoded: true });
  });

  it('refuses more than ten megabytes in the words of the template', async () => {
    const { status, text } = await ask(await start(), '/bill', {
      method: 'POST',
      body: 'x'.repeat(10_485_761),
    });

    expect({ status, text }).toEqual({ status: 413, text: '{"message":"Too large."}' });
  });

  it('sends what the function answers: status, headers once or often, and bytes', async () => {
    const code = `exports.handler = async () => ({
      statusCode: 201,
      headers: { 'Content-Type': 'image/gif', 'X-One': 1 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'R0lG', isBase64Encoded: true,
    });`;
    const runner = await run({
      functions: { picture: { code } },
      resources: { Pic: path('pic'), On: calls('picture', 'Pic') },
    });

    const { status, headers, text } = await ask(runner, '/pic', { headers: { Accept: 'image/gif' } });

    expect(status).toBe(201);
    expect(headers.get('x-one')).toBe('1');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(text).toBe('GIF');
  });

  it.each([
    ['throws', 'exports.handler = async () => { throw new Error("secret"); };', 1],
    ['answers what is no answer', 'exports.handler = async () => "hello";', 1],
    [
      'takes longer than its own timeout',
      'exports.handler = () => new Promise(() => setTimeout(() => {}, 60_000));',
      1,
    ],
  ])('makes its own 5xx of a function that %s', async (_case, code, timeout) => {
    const runner = await run({
      functions: { bad: { code, timeout } },
      resources: { P: path('p'), On: calls('bad', 'P'), OurFault: tree.OurFault },
    });

    const { status, text } = await ask(runner, '/p');

    expect({ status, text }).toEqual({ status: 502, text: '{"message":"general"}' });
  });

  it('times out after the integration timeout, while the function goes on', async () => {
    const code = `
      const { setTimeout: delay } = require('node:timers/promises');
      exports.handler = async () => { await delay(300); console.log('went on'); };`;
    const runner = await run({
      functions: { slow: { code } },
      resources: {
        P: path('p'),
        On: calls('slow', 'P', { timeoutMs: 50 }),
        Late: gatewayResponse('INTEGRATION_TIMEOUT', 500, '{"message":"late"}'),
      },
    });

    const { status, text } = await ask(runner, '/p');

    expect({ status, text }).toEqual({ status: 500, text: '{"message":"late"}' });
    await expect.poll(() => runner.lines.map((line) => line.text)).toContain('went on');
  });

  it('logs each request without its query', async () => {
    const runner = await start();

    await ask(runner, '/bill/status?secret=1');

    await expect
      .poll(() => runner.lines)
      .toContainEqual({
        functionName: 'gateway',
        stream: 'stdout',
        text: expect.stringMatching(/^GET \/bill\/status 200 in \d+ ms$/),
      });
  });

  it('throttles as the stage says', async () => {
    const runner = await run({
      functions: { echo: { code: echo } },
      resources: {
        P: path('p'),
        On: calls('echo', 'P'),
        Stage: {
          Type: 'AWS::ApiGateway::Stage',
          Properties: {
            StageName: 'live',
            MethodSettings: [
              {
                ResourcePath: '/~1p',
                HttpMethod: 'GET',
                ThrottlingRateLimit: 0.001,
                ThrottlingBurstLimit: 2,
              },
            ],
          },
        },
        Throttled: gatewayResponse('THROTTLED', 429, '{"message":"slow down"}'),
      },
    });

    const statuses = [await ask(runner, '/p'), await ask(runner, '/p'), await ask(runner, '/p')].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('the authorizer here', () => {
  const policy = (effect: string) =>
    `({ principalId: 'm', context: { merchantId: 'm', banned: false, level: 7 }, policyDocument: { Version: '2012-10-17',
        Statement: [{ Effect: '${effect}', Action: 'execute-api:Invoke', Resource: '*' }] } })`;
  const code = `
    exports.handler = async ({ type, authorizationToken, methodArn }) => {
      console.log('asked');
      if (type !== 'TOKEN' || !/:local\\/live\\/GET\\/p$/.test(methodArn)) throw new Error('wrong event');
      if (authorizationToken === 'good') return ${policy('Allow')};
      if (authorizationToken === 'denied') return ${policy('Deny')};
      if (authorizationToken === 'nested') return { ...${policy('Allow')}, context: { list: [1] } };
      throw new Error(authorizationToken === 'bad' ? 'Unauthorized' : 'database is down');
    };`;
  const resources = {
    P: path('p'),
    Authorizer: authorizer('auth'),
    On: calls('echo', 'P', { guarded: true }),
    Unauthorized: gatewayResponse('UNAUTHORIZED', 401, '{"message":"Unauthenticated."}'),
    Denied: gatewayResponse('ACCESS_DENIED', 401, '{"message":"denied"}'),
    Failure: gatewayResponse('AUTHORIZER_FAILURE', 500, '{"message":"our fault"}'),
    Configuration: gatewayResponse('AUTHORIZER_CONFIGURATION_ERROR', 500, '{"message":"our mistake"}'),
  };
  const withAuthorizer = () => run({ functions: { echo: { code: echo }, auth: { code } }, resources });

  it.each([
    ['without a token, and is not even asked', undefined, 401, '{"message":"Unauthenticated."}', 0],
    ['with a token that it calls Unauthorized', 'bad', 401, '{"message":"Unauthenticated."}', 1],
    ['with a token that it denies', 'denied', 401, '{"message":"denied"}', 1],
    ['when it fails', 'other', 500, '{"message":"our fault"}', 1],
    ['when its context is not flat', 'nested', 500, '{"message":"our mistake"}', 1],
  ])('refuses a caller %s', async (_case, token, status, text, asked) => {
    const runner = await withAuthorizer();

    const answer = await ask(runner, '/p', token ? { headers: { authorization: token } } : {});

    expect(answer).toMatchObject({ status, text });
    await expect.poll(() => runner.lines.filter((line) => line.text === 'asked')).toHaveLength(asked);
  });

  it('passes the caller to the function, every value as text', async () => {
    const { text } = await ask(await withAuthorizer(), '/p', { headers: { authorization: 'good' } });

    expect(JSON.parse(text).requestContext.authorizer).toEqual({
      principalId: 'm',
      merchantId: 'm',
      banned: 'false',
      level: '7',
    });
  });

  it('is called for each request', async () => {
    const runner = await withAuthorizer();

    await ask(runner, '/p', { headers: { authorization: 'good' } });
    await ask(runner, '/p', { headers: { authorization: 'good' } });

    await expect.poll(() => runner.lines.filter((line) => line.text === 'asked')).toHaveLength(2);
  });
});
