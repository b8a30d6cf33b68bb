import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { plain } from '../../infra/local/rights/policy.ts';
import { isRecord } from '../../infra/local/template/is-record.ts';
import { apiRoutes, publicRoutes, sandboxRoutes } from '../../lib/contract/routes.ts';
import { functionNameOf, methodsOf, pathsOf } from './methods.ts';
import { at, functionOf, listAt, ofType, templateOf } from './template.ts';

const template = templateOf('local');
const methods = methodsOf(template);
const find = (path: string, method: string) =>
  methods.find((one) => one.path === path && one.method === method);
const listed = (routes: typeof apiRoutes) =>
  routes.flatMap((route) =>
    route.paths.flatMap((path) => route.methods.map((method) => [method, path, route.function] as const)),
  );

const notFound = '{"success":false,"message":"Not found."}';

describe('the routes', () => {
  it.each(listed([...apiRoutes, ...publicRoutes, ...sandboxRoutes]))(
    '%s %s calls %s',
    (method, path, name) => {
      expect(functionNameOf(template, find(path, method)?.target)).toBe(name);
    },
  );

  it.each(listed(apiRoutes))('%s %s asks the authorizer first', (method, path) => {
    expect(find(path, method)).toMatchObject({ authorization: 'CUSTOM', authorizer: expect.any(String) });
  });

  it.each(listed([...publicRoutes, ...sandboxRoutes]))('%s %s is open to everyone', (method, path) => {
    expect(find(path, method)?.authorization).toBe('NONE');
  });

  it('leads nothing under /api/ to a function without the authorizer', () => {
    const open = methods.filter(({ path, target }) => path.startsWith('/api') && target);
    expect(open.filter(({ authorization }) => authorization !== 'CUSTOM')).toEqual([]);
  });
});

describe('the authorizer', () => {
  const [authorizer, ...others] = ofType(template, 'AWS::ApiGateway::Authorizer');

  it('is one for all routes and caches nothing, so that a refreshed token is refused at once', () => {
    expect(others).toEqual([]);
    expect(at(authorizer, 'AuthorizerResultTtlInSeconds')).toBe(0);
  });

  const passes = (header: string): boolean =>
    new RegExp(String(at(authorizer, 'IdentityValidationExpression'))).test(header);

  it('is called for a bearer token of any service, in any case and with any blanks', () => {
    expect(authorizer?.Properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
    });
    const tokens = [`pl_live_${'a'.repeat(49)}`, '12|QWERTY-uiop.asdf_ghjkl', 'f'.repeat(64)];
    for (const token of tokens) {
      for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER \t${token}`, ` Bearer  ${token} `])
        expect(passes(header), header).toBe(true);
    }
  });

  it.each([
    '',
    'Bearer',
    'Bearer short',
    `Basic ${'a'.repeat(40)}`,
    'a'.repeat(40),
    `Bearer ${'é'.repeat(40)}`,
  ])('is not called for %j, which is 401 without it', (header) => expect(passes(header)).toBe(false));
});

describe('a request without a route', () => {
  it('is 404 on every resource, those between the routes included', () => {
    const paths = [...pathsOf(template).values()];
    expect(paths).toEqual(expect.arrayContaining(['/', '/{proxy+}', '/api', '/api/v1', '/api/v1/bill']));
    for (const path of paths) expect(find(path, 'ANY'), path).toBeDefined();
  });

  it('is answered by one function without rights, except below /api', () => {
    const answering = [...pathsOf(template).values()].map(
      (path) => [path, functionNameOf(template, find(path, 'ANY')?.target)] as const,
    );
    for (const [path, name] of answering) {
      if (path !== '/sandbox/{proxy+}')
        expect([path, name]).toEqual([path, path.startsWith('/api') ? undefined : 'fallback']);
    }
  });

  it('is always the same fixed text below /api, where nothing is called', () => {
    const mocks = methods.filter(({ target }) => !target);
    expect(mocks.length).toBeGreaterThan(10);
    for (const { integration, path, authorization } of mocks) {
      expect(path).toMatch(/^\/api(\/|$)/);
      expect(authorization, path).toBe('NONE');
      expect(integration, path).toEqual({
        Type: 'MOCK',
        PassthroughBehavior: 'NEVER',
        RequestTemplates: { 'application/json': '{"statusCode":404}' },
        IntegrationResponses: [
          {
            StatusCode: '404',
            ResponseTemplates: { 'application/json': notFound },
            ResponseParameters: {
              'method.response.header.Content-Type': "'application/json'",
              'method.response.header.Strict-Transport-Security': "'max-age=31536000'",
              'method.response.header.X-Content-Type-Options': "'nosniff'",
            },
          },
        ],
      });
    }
  });
});

describe("the gateway's own answers", () => {
  const answers = new Map(
    ofType(template, 'AWS::ApiGateway::GatewayResponse').map((one) => [at(one, 'ResponseType'), one]),
  );
  const answer = (type: string) => [
    at(answers.get(type), 'StatusCode'),
    at(answers.get(type), 'ResponseTemplates', 'application/json'),
  ];

  it('are all given a text here', () => {
    const types = Object.values(ResponseType).map(({ responseType }: ResponseType) => responseType);
    expect(types.length).toBeGreaterThan(18);
    expect(new Set(answers.keys())).toEqual(new Set(types));
  });

  it('are fixed texts: nothing of the request or the gateway is repeated', () => {
    for (const [type, resource] of answers) {
      expect(JSON.stringify(resource.Properties), String(type)).not.toMatch(/\$|stageVariables/);
    }
  });

  it('have HSTS and nosniff, like every other response', () => {
    for (const [type, resource] of answers)
      expect(at(resource, 'ResponseParameters'), String(type)).toEqual({
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      });
  });

  it.each(['UNAUTHORIZED', 'ACCESS_DENIED', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'])(
    '%s is 401 and exactly the contract’s text',
    (type) => expect(answer(type)).toEqual(['401', '{"message":"Unauthenticated."}']),
  );

  it.each(['MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'])(
    '%s is the 404 of an unknown route',
    (type) => expect(answer(type)).toEqual(['404', notFound]),
  );

  it.each(['THROTTLED', 'QUOTA_EXCEEDED', 'WAF_FILTERED'])('%s is 429, and no success', (type) =>
    expect(answer(type)).toEqual(['429', '{"success":false,"message":"Too many requests."}']),
  );

  it('REQUEST_TOO_LARGE is 413, and no success', () =>
    expect(answer('REQUEST_TOO_LARGE')).toEqual([
      '413',
      '{"success":false,"message":"The request is too large."}',
    ]));

  it.each([
    ['BAD_REQUEST_BODY', '422'],
    ['BAD_REQUEST_PARAMETERS', '422'],
    // The gateway's own status stays.
    ['DEFAULT_4XX', undefined],
  ])('%s is invalid data', (type, status) =>
    expect(answer(type)).toEqual([
      status,
      '{"success":false,"message":"The given data was invalid.","errors":{}}',
    ]),
  );

  it.each(['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR', 'INTEGRATION_TIMEOUT', 'DEFAULT_5XX'])(
    '%s is our fault: 500',
    (type) => expect(answer(type)).toEqual(['500', '{"success":false,"message":"api:error.general_error"}']),
  );
});

describe('the API', () => {
  const [api] = ofType(template, 'AWS::ApiGateway::RestApi');
  const [stage] = ofType(template, 'AWS::ApiGateway::Stage');
  const settings = listAt(stage, 'MethodSettings').filter(isRecord);

  it('is REGIONAL: an edge endpoint refuses a GET with a body', () => {
    expect(at(api, 'EndpointConfiguration', 'Types')).toEqual(['REGIONAL']);
  });

  it('never writes requests into a log', () => {
    for (const one of settings) expect(one['DataTraceEnabled']).not.toBe(true);
  });

  it('throttles payout creation more strictly than the rest', () => {
    const rate = (path: string) =>
      settings.find((one) => one['ResourcePath'] === path)?.['ThrottlingRateLimit'];
    for (const kind of ['personal', 'regular']) {
      expect(rate(`/~1api~1v1~1payout~1${kind}~1create`)).toBeLessThan(Number(rate('/*')));
    }
  });

  it('is named to each function by the literal name of its stage', () => {
    expect(at(stage, 'StageName')).toBe('live');
    const bill = functionOf(template, 'paylink-local-fn-bill-create');
    const url = plain(at(bill, 'Environment', 'Variables', 'PUBLIC_URL'));
    expect(url).toBe(`https://${api?.id}.execute-api.AWS::Region.AWS::URLSuffix/live`);
  });
});
