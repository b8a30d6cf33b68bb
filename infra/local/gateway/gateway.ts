import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type AuthorizerContext, authorize, authorizersOf } from './authorizer.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { type GatewayResponseType, gatewayResponsesOf } from './gateway-response.ts';
import { type Method, methodsOf } from './methods.ts';
import { answerMock } from './mock.ts';
import { localRegion } from '../../../lib/installation/local-endpoints.ts';
import { apiId, localAccount } from '../template/local-deployment.ts';
import { type ApiFacts, proxyEvent } from './proxy-event.ts';
import { answerOf } from './proxy-response.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { findRoute, type Match, type RouteNode, routeTreeOf } from './routes.ts';
import { throttleOf } from './throttle.ts';
import type { InvocationOutcome } from '../functions/worker-messages.ts';

/** Invokes a function. Resolves to the outcome, also when the function fails. */
export type Invoke = (functionName: string, event: unknown) => Promise<InvocationOutcome>;

/** Responds to a request as API Gateway would. */
export type Gateway = (request: GatewayRequest) => Promise<GatewayAnswer>;

const apiSchema = z.object({ BinaryMediaTypes: z._default(z.array(z.string()), []) });

/** Returns the gateway for the template's REST API. */
export function gatewayOf(resources: readonly Resource[], invoke: Invoke, now: () => Date): Gateway {
  const api = apiOf(resources, invoke, now);
  const respond = gatewayResponsesOf(resources);
  return async (request) => {
    const answered = await answer(api, request);
    return typeof answered === 'string' ? respond(answered, request.id) : answered;
  };
}

const apiOf = (resources: readonly Resource[], invoke: Invoke, now: () => Date) => ({
  root: routeTreeOf(resources),
  methods: methodsOf(resources),
  authorizers: authorizersOf(resources),
  mayPass: throttleOf(resources, now),
  facts: factsOf(resources),
  invoke,
});
type Api = ReturnType<typeof apiOf>;

async function answer(api: Api, request: GatewayRequest): Promise<GatewayAnswer | GatewayResponseType> {
  const match = routeOf(api.root, request.path);
  if (match === 'BAD_REQUEST_PARAMETERS') return match;
  const method = match && api.methods(match.node.id, request.method);
  if (!match || !method) return 'MISSING_AUTHENTICATION_TOKEN';
  if (!api.mayPass(request.method, match.node.pattern)) return 'THROTTLED';
  if (!request.body) return 'REQUEST_TOO_LARGE';
  const caller = await callerOf(api, method, request);
  return typeof caller === 'string' ? caller : integrate(api, method, { request, match, caller });
}

async function callerOf(
  { authorizers, facts, invoke }: Api,
  { authorizerId }: Method,
  request: GatewayRequest,
): Promise<AuthorizerContext | GatewayResponseType | undefined> {
  if (authorizerId === undefined) return undefined;
  const authorizer = authorizers.get(authorizerId);
  return authorizer
    ? authorize(authorizer, request, methodArn(facts, request), invoke)
    : 'AUTHORIZER_CONFIGURATION_ERROR';
}

type Call = {
  readonly request: GatewayRequest;
  readonly match: Match;
  readonly caller: AuthorizerContext | undefined;
};

async function integrate(
  { facts, invoke }: Api,
  { integration }: Method,
  { request, match, caller }: Call,
): Promise<GatewayAnswer | GatewayResponseType> {
  if (integration.kind === 'mock') return answerMock(integration, request);
  const event = proxyEvent(request, match, facts, caller);
  const outcome = await within(integration.timeoutMs, invoke(integration.functionName, event));
  if (outcome === 'INTEGRATION_TIMEOUT') return outcome;
  return (outcome.ok && answerOf(outcome.payload, request, facts.binaryTypes)) || 'INTEGRATION_FAILURE';
}

function factsOf(resources: readonly Resource[]): ApiFacts {
  const [api] = ofType(resources, 'AWS::ApiGateway::RestApi');
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  return {
    stage: stage?.identity.ref ?? 'prod',
    binaryTypes: apiSchema.parse(api?.properties ?? {}).BinaryMediaTypes,
  };
}

function routeOf(root: RouteNode, path: string): Match | undefined | 'BAD_REQUEST_PARAMETERS' {
  try {
    return findRoute(root, path);
  } catch (thrown) {
    if (thrown instanceof URIError) return 'BAD_REQUEST_PARAMETERS';
    throw thrown;
  }
}

const methodArn = ({ stage }: ApiFacts, { method, path }: GatewayRequest): string =>
  `arn:aws:execute-api:${localRegion}:${localAccount}:${apiId}/${stage}/${method}${path}`;

/** Stops waiting after `ms`. The function continues, as on AWS. */
async function within(
  ms: number,
  outcome: Promise<InvocationOutcome>,
): Promise<InvocationOutcome | 'INTEGRATION_TIMEOUT'> {
  const waiting = new AbortController();
  const tooLate = delay(ms, 'INTEGRATION_TIMEOUT' as const, { signal: waiting.signal }).catch(
    () => 'INTEGRATION_TIMEOUT' as const,
  );
  const first = await Promise.race([outcome, tooLate]);
  waiting.abort();
  return first;
}
