import type { AuthorizerContext } from './authorizer.ts';
import { type GatewayRequest, headerOf, mediaType } from './gateway-request.ts';
import { apiId, localAccount } from '../template/local-deployment.ts';
import type { Match } from './routes.ts';

/** The facts about the API that an event needs. */
export type ApiFacts = { readonly stage: string; readonly binaryTypes: readonly string[] };

/** Returns the event of a Lambda proxy integration, payload format 1.0, as API Gateway's REST APIs send it. */
export function proxyEvent(
  request: GatewayRequest,
  { node, parameters }: Match,
  { stage, binaryTypes }: ApiFacts,
  authorizer: AuthorizerContext | undefined,
): object {
  const headers = headersOf(request);
  const isBinary = isBinaryType(binaryTypes, headerOf(request, 'content-type') ?? 'application/json');
  return {
    resource: node.pattern,
    path: request.path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    ...queryOf(request.query),
    pathParameters: orNull(parameters),
    stageVariables: null,
    requestContext: requestContext(request, node.pattern, stage, authorizer),
    body: request.body?.length ? request.body.toString(isBinary ? 'base64' : 'utf8') : null,
    isBase64Encoded: Boolean(request.body?.length) && isBinary,
  };
}

/** Whether the API treats this media type as binary. */
export function isBinaryType(binaryTypes: readonly string[], type: string): boolean {
  const [kind, sub] = (mediaType(type) ?? '').split('/');
  return binaryTypes.some((binary) => {
    const [wantedKind, wantedSub] = binary.toLowerCase().split('/');
    return (wantedKind === '*' || wantedKind === kind) && (wantedSub === '*' || wantedSub === sub);
  });
}

function requestContext(
  request: GatewayRequest,
  resourcePath: string,
  stage: string,
  authorizer: AuthorizerContext | undefined,
): object {
  return {
    accountId: localAccount,
    apiId,
    ...(authorizer && { authorizer }),
    domainName: headerOf(request, 'host') ?? '',
    domainPrefix: apiId,
    extendedRequestId: request.id,
    httpMethod: request.method,
    identity: { sourceIp: request.sourceIp, userAgent: headerOf(request, 'user-agent') ?? null },
    path: request.path,
    protocol: 'HTTP/1.1',
    requestId: request.id,
    requestTime: request.time.toUTCString(),
    requestTimeEpoch: request.time.getTime(),
    resourceId: resourcePath,
    resourcePath,
    stage,
  };
}

/** Headers that API Gateway does not pass to functions. */
const notPassedOn = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
];

function headersOf(request: GatewayRequest): (readonly [string, string])[] {
  const passed = request.headers.filter(([name]) => !notPassedOn.includes(name.toLowerCase()));
  const others = passed.filter(([name]) => !name.toLowerCase().startsWith('x-forwarded-'));
  const before = headerOf(request, 'x-forwarded-for');
  const [, port = '80'] = (headerOf(request, 'host') ?? '').split(':');
  return [
    ...others,
    ['X-Forwarded-For', before ? `${before}, ${request.sourceIp}` : request.sourceIp],
    ['X-Forwarded-Port', port],
    ['X-Forwarded-Proto', 'http'],
  ];
}

/** The map with single values has the last value of each parameter. */
function queryOf(query: URLSearchParams): object {
  const pairs = [...query];
  return {
    queryStringParameters: orNull(Object.fromEntries(pairs)),
    multiValueQueryStringParameters: orNull(grouped(pairs)),
  };
}

/** Groups with a Map, because a parameter may be called `constructor`. */
function grouped(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.map(([, value]) => value)]));
}

const orNull = <T extends object>(map: T): T | null => (Object.keys(map).length > 0 ? map : null);
