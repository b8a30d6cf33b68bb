import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  type IAuthorizer,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  type MethodOptions,
  RestApi,
  type StageOptions,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bearerHeader } from '../../lib/contract/authorization-header.ts';
import type { Route } from '../../lib/contract/routes.ts';
import type { Environment } from '../../lib/installation/environments.ts';
import { namesOf } from '../../lib/installation/names.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { answerNotFound } from './not-found.ts';
import { removalOf } from './removal.ts';

/** A literal: a function may name the API's URL only if the URL does not wait for the stage, which waits for it. */
export const stageName = 'live';

/**
 * The REST API without its routes. REGIONAL, because an edge endpoint refuses the bodies on GET that some clients
 * send. Data trace stays off: it would write card numbers into a log.
 */
export function restApi(scope: Construct, environment: Environment): RestApi {
  const { throttle, accessLog, invokeUrl } = environment;
  const api = new RestApi(scope, 'Api', {
    restApiName: namesOf(environment.name).api,
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: invokeUrl === 'off',
    // API Gateway writes a REST API's log under one role of the whole account, which other APIs may use as well.
    cloudWatchRole: accessLog,
    ...(accessLog && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
    deployOptions: {
      stageName,
      ...(accessLog && accessLogOf(scope, environment)),
      dataTraceEnabled: false,
      throttlingRateLimit: throttle.all.rate,
      throttlingBurstLimit: throttle.all.burst,
      methodOptions: payoutThrottle(throttle.payoutCreate),
    },
  });
  addGatewayResponses(api);
  return api;
}

/**
 * A line per request with the route that took it, not the path or the query, for ids and secrets ride in those; and
 * nothing else that the caller could write. `requestId` is that of the functions' lines.
 */
const accessLine = {
  requestId: AccessLogField.contextRequestId(),
  at: AccessLogField.contextRequestTimeEpoch(),
  address: AccessLogField.contextIdentitySourceIp(),
  merchant: AccessLogField.contextAuthorizerPrincipalId(),
  method: AccessLogField.contextHttpMethod(),
  route: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  refusedAs: AccessLogField.contextErrorResponseType(),
  ms: AccessLogField.contextResponseLatency(),
  bytes: AccessLogField.contextResponseLength(),
};

function accessLogOf(scope: Construct, environment: Environment): StageOptions {
  const log = new LogGroup(scope, 'AccessLog', {
    logGroupName: namesOf(environment.name).logs('access'),
    retention: environment.logRetentionDays,
    removalPolicy: removalOf(environment),
  });
  return {
    accessLogDestination: new LogGroupLogDestination(log),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLine)),
  };
}

function payoutThrottle({ rate, burst }: Environment['throttle']['all']) {
  const limit: MethodDeploymentOptions = { throttlingRateLimit: rate, throttlingBurstLimit: burst };
  return {
    '/api/v1/payout/personal/create/POST': limit,
    '/api/v1/payout/regular/create/POST': limit,
  };
}

type RoutesProps = {
  readonly api: RestApi;
  readonly routes: readonly Route[];
  readonly functions: ReadonlyMap<string, IFunction>;
};

/**
 * The contract's routes on the API, the authorizer before those that need it. What they leave open is 404: below `/api`
 * without calling anything, elsewhere by the function that has a page for browsers.
 */
export class Gateway extends Construct {
  readonly #resources = new Set<IResource>();
  readonly #taken = new Set<IResource>();

  constructor(scope: Construct, id: string, { api, routes, functions }: RoutesProps) {
    super(scope, id);
    const authorizer = this.#authorizer(functions.get('authorizer'));
    this.#remember(api.root);
    for (const route of routes) {
      const target = functions.get(route.function);
      if (target) this.#connect(api, route, target, optionsFor(route, authorizer));
    }
    const rest = [...this.#resources].filter((resource) => !this.#taken.has(resource));
    const ofApi = (resource: IResource): boolean => /^\/api(?:\/|$)/.test(resource.path);
    const fallback = functions.get('fallback');
    answerNotFound(rest.filter((resource) => ofApi(resource) || !fallback));
    if (!fallback) return;
    for (const resource of rest.filter((each) => !ofApi(each))) connect(resource, 'ANY', fallback);
  }

  #authorizer(handler: IFunction | undefined): IAuthorizer | undefined {
    if (!handler) return undefined;
    return new TokenAuthorizer(this, 'Authorizer', {
      handler,
      resultsCacheTtl: Duration.seconds(0),
      // Another header is 401 without a call.
      validationRegex: bearerHeader,
    });
  }

  #connect(api: RestApi, { paths, methods }: Route, target: IFunction, options: MethodOptions): void {
    for (const path of paths) {
      const resource = api.root.resourceForPath(path);
      this.#remember(resource);
      for (const method of methods) {
        connect(resource, method, target, options);
        if (method === 'ANY') this.#taken.add(resource);
      }
    }
  }

  #remember(resource: IResource): void {
    this.#resources.add(resource);
    if (resource.parentResource) this.#remember(resource.parentResource);
  }
}

const open: MethodOptions = { authorizationType: AuthorizationType.NONE };

const connect = (resource: IResource, method: string, target: IFunction, options = open): void =>
  void resource.addMethod(method, new LambdaIntegration(target, { allowTestInvoke: false }), options);

/** A bearer route without an authorizer would be open to everyone, so it is an error, not a default. */
function optionsFor({ access, function: name }: Route, authorizer: IAuthorizer | undefined): MethodOptions {
  if (access === 'public') return open;
  if (authorizer) return { authorizationType: AuthorizationType.CUSTOM, authorizer };
  throw new Error(`functions/${name}.ts needs functions/authorizer.ts, which is missing.`);
}
