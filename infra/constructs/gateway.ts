import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  AwsIntegration,
  type IAuthorizer,
  type IntegrationConfig,
  type IResource,
  LogGroupLogDestination,
  type Method,
  type MethodDeploymentOptions,
  type MethodOptions,
  RestApi,
  type StageOptions,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bearerHeader } from '../../lib/contract/authorization-header.ts';
import type { Route } from '../../lib/contract/routes.ts';
import type { Environment } from '../../lib/installation/environments.ts';
import { namesOf } from '../../lib/installation/names.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { answerNotFound } from './not-found.ts';
import { removalOf } from './removal.ts';

/** A literal, because functions receive the API's URL: a reference to the stage, which depends on them, would be a cycle. */
export const stageName = 'live';

/**
 * Creates the REST API without its routes. The endpoint is REGIONAL, because an edge-optimized one refuses GET requests with
 * a body, which some clients send. Data trace stays off: it would log card numbers.
 */
export function restApi(scope: Construct, environment: Environment): RestApi {
  const { throttle, accessLog, invokeUrl } = environment;
  const api = new RestApi(scope, 'Api', {
    restApiName: namesOf(environment.name).api,
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: invokeUrl === 'off',
    // API Gateway logs through one role per account, which other APIs may use too, so the role is retained.
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
 * One log line per request, with its route instead of its path and query, which may contain ids and secrets, and with no
 * other text from the caller. `requestId` matches the functions' log lines.
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

/** A function behind the API, with its physical name. */
type Served = LambdaFunction & { readonly deployedName: string };

type RoutesProps = {
  readonly api: RestApi;
  readonly routes: readonly Route[];
  readonly functions: ReadonlyMap<string, Served>;
};

/**
 * Adds the contract's routes to the API, with the authorizer where a route needs it. Paths and methods are in the API's own
 * stack: they are identified by their place in the API, so another stack cannot create one while the old one exists.
 * Every other path and method answers 404: below `/api` without an invocation, elsewhere from the `fallback` function,
 * which has a page for browsers.
 */
export class Gateway extends Construct {
  readonly #resources = new Set<IResource>();
  readonly #taken = new Set<IResource>();

  constructor(scope: Construct, id: string, { api, routes, functions }: RoutesProps) {
    super(scope, id);
    const authorizer = this.#authorizer(api, functions.get('authorizer'));
    this.#remember(api.root);
    for (const route of routes) {
      const target = functions.get(route.function);
      if (target) this.#addRoute(api, route, target, optionsFor(route, authorizer));
    }
    const rest = [...this.#resources].filter((resource) => !this.#taken.has(resource));
    const ofApi = (resource: IResource): boolean => /^\/api(?:\/|$)/.test(resource.path);
    const fallback = functions.get('fallback');
    answerNotFound(rest.filter((resource) => ofApi(resource) || !fallback));
    if (!fallback) return;
    for (const resource of rest.filter((each) => !ofApi(each))) connect(api, resource, 'ANY', fallback);
  }

  #authorizer(api: RestApi, target: Served | undefined): IAuthorizer | undefined {
    if (!target) return undefined;
    permit(target, 'Authorizer', arnOf(api, 'authorizers/*'));
    api.latestDeployment?.addToLogicalId({ authorizer: target.deployedName });
    return new TokenAuthorizer(this, 'Authorizer', {
      // Imported without permissions: CDK's own permission would refer to the authorizer, which depends on the function's stack.
      handler: LambdaFunction.fromFunctionAttributes(this, 'AuthorizerFunction', {
        functionArn: target.functionArn,
        sameEnvironment: false,
        skipPermissions: true,
      }),
      resultsCacheTtl: Duration.seconds(0),
      // A header that does not match is answered 401 without an invocation.
      validationRegex: bearerHeader,
    });
  }

  #addRoute(api: RestApi, { paths, methods }: Route, target: Served, options: MethodOptions): void {
    for (const path of paths) {
      const resource = api.root.resourceForPath(path);
      this.#remember(resource);
      for (const method of methods) {
        connect(api, resource, method, target, options);
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

function connect(api: RestApi, resource: IResource, method: string, target: Served, options = open): void {
  const anyOf = resource.path.replaceAll(/\{[^}]*\}/g, '*');
  permit(target, `${method} ${resource.path}`, api.arnForExecuteApi(method, anyOf, stageName));
  resource.addMethod(method, new FunctionIntegration(target), options);
}

/**
 * Allows the API to invoke the function. The permission is in the function's stack, so it exists before the stage routes to
 * the function. `LambdaIntegration` would create it after the stage, because it refers to the stage's name.
 */
const permit = (target: Served, id: string, sourceArn: string): void =>
  target.addPermission(id, { principal: new ServicePrincipal('apigateway.amazonaws.com'), sourceArn });

/** Returns the ARN of a part of the API. */
const arnOf = (api: RestApi, part: string): string =>
  Stack.of(api).formatArn({
    service: 'execute-api',
    resource: api.restApiId,
    resourceName: part,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });

/** A proxy integration with the function. As with `LambdaIntegration`, a new function name causes a new deployment of the API. */
class FunctionIntegration extends AwsIntegration {
  readonly #deploymentToken: string;

  constructor({ functionArn, deployedName }: Served) {
    super({ proxy: true, service: 'lambda', path: `2015-03-31/functions/${functionArn}/invocations` });
    this.#deploymentToken = deployedName;
  }

  override bind(method: Method): IntegrationConfig {
    return { ...super.bind(method), deploymentToken: this.#deploymentToken };
  }
}

/** Returns a route's method options. Throws for a bearer route without an authorizer, which would be open to everyone. */
function optionsFor({ access, function: name }: Route, authorizer: IAuthorizer | undefined): MethodOptions {
  if (access === 'public') return open;
  if (authorizer) return { authorizationType: AuthorizationType.CUSTOM, authorizer };
  throw new Error(`functions/${name}.ts needs functions/authorizer.ts, which is missing.`);
}
