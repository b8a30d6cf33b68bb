import { expect } from 'vitest';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiHandler } from '../../lib/http/endpoint.ts';
import { toMerchantId } from '../../lib/ids.ts';
import type { Caller } from '../../lib/merchant/merchant.ts';
import { toAuthorizerContext } from '../../lib/http/caller.ts';

/** The authorizer's caller of a merchant with all rights. */
export const aCaller = (traits: Partial<Caller> = {}): Caller => ({
  merchantId: toMerchantId('MerchantMerchant'),
  enabled: true,
  banned: false,
  verified: true,
  regularPayouts: true,
  subscription: 'active',
  apiAddresses: undefined,
  shards: undefined,
  ...traits,
});

export type Sent = {
  readonly caller?: Caller;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is passed as it is; bytes are base64-encoded, as API Gateway passes binary bodies. */
  readonly body?: string | Uint8Array;
};

const requestContext = (caller: Caller): APIGatewayProxyEvent['requestContext'] => ({
  authorizer: toAuthorizerContext(caller),
  requestId: 'request-1',
  domainName: 'api.example.test',
  stage: 'v1',
  accountId: '000000000000',
  apiId: 'api',
  httpMethod: '',
  path: '/',
  protocol: 'HTTP/1.1',
  requestTimeEpoch: 0,
  resourceId: '',
  resourcePath: '/',
  identity: {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: '192.0.2.1',
    user: null,
    userAgent: null,
    userArn: null,
  },
});

export const lambdaContext: Context = {
  awsRequestId: 'request-1',
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'function',
  functionVersion: '1',
  invokedFunctionArn: 'arn',
  logGroupName: 'group',
  logStreamName: 'stream',
  memoryLimitInMB: '128',
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

/** The event that API Gateway passes to a function behind the authorizer. */
export function apiEvent(
  method: 'GET' | 'POST',
  { caller, query, headers, body }: Sent = {},
): APIGatewayProxyEvent {
  const lists = Object.entries(query ?? {}).map(([name, value]) => [name, [value].flat()] as const);
  return {
    httpMethod: method,
    path: '/',
    resource: '/',
    pathParameters: null,
    stageVariables: null,
    headers: { ...headers },
    multiValueHeaders: {},
    queryStringParameters: query
      ? Object.fromEntries(lists.map(([name, values]) => [name, values.at(-1)]))
      : null,
    multiValueQueryStringParameters: query ? Object.fromEntries(lists) : null,
    body: typeof body === 'string' ? body : body ? Buffer.from(body).toString('base64') : null,
    isBase64Encoded: body !== undefined && typeof body !== 'string',
    requestContext: requestContext(caller ?? aCaller()),
  };
}

export const form = (fields: Readonly<Record<string, string>>, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...sent.headers },
  body: new URLSearchParams(fields).toString(),
});

export const jsonText = (body: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { 'Content-Type': 'application/json', ...sent.headers },
  body,
});

export const json = (fields: unknown, sent: Sent = {}): Sent => jsonText(JSON.stringify(fields), sent);

const boundary = 'f0urty2';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

export const multipartBody = (fields: readonly (readonly [name: string, value: string])[]): string =>
  fields
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .concat(`--${boundary}--\r\n`)
    .join('');

export const multipart = (fields: Readonly<Record<string, string>>, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { 'Content-Type': multipartType, ...sent.headers },
  body: multipartBody(Object.entries(fields)),
});

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
};

async function answered(handler: ApiHandler, event: APIGatewayProxyEvent): Promise<Answered> {
  const { statusCode, headers = {}, body } = await handler(event, lambdaContext);
  return { status: statusCode, headers, body: JSON.parse(body) };
}

export const get = (handler: ApiHandler, sent: Sent = {}): Promise<Answered> =>
  answered(handler, apiEvent('GET', sent));
export const post = (handler: ApiHandler, sent: Sent = {}): Promise<Answered> =>
  answered(handler, apiEvent('POST', sent));

export const refusal = (status: number, key: string) => ({
  status,
  body: { success: false, message: `api:error.${key}` },
});

/** Matches every text under `errors`: words that end with a period. */
const sentence: unknown = expect.stringMatching(/\w+ .*\.$/);

export const invalid = (...fields: readonly string[]) => ({
  status: 422,
  body: {
    success: false,
    message: 'The given data was invalid.',
    errors: Object.fromEntries(fields.map((field) => [field, [sentence]])),
  },
});
