import { type Guard, guardRights, type Rights } from '../services/rights-guard.ts';
import type { Endpoints, FunctionEndpoints } from '../../../lib/installation/local-endpoints.ts';
import type { EnvironmentChanges } from './function-environment.ts';
import type { LocalDeployment } from '../template/local-deployment.ts';

/** How functions reach the services: directly, or through the guard that enforces their roles. */
type Reached = Pick<Guard, 'refusals'> & {
  readonly endpoints: FunctionEndpoints;
  readonly addresses: EnvironmentChanges['addresses'];
};

export const directEndpoints = (endpoints: FunctionEndpoints): Reached => ({
  endpoints,
  addresses: [],
  refusals: [],
});

/** Puts the guard in front of every service. Queue URLs are rewritten too, because the SDK calls them directly. */
export async function guardedEndpoints(
  rights: Rights,
  { queueOrigin }: LocalDeployment,
  endpoints: FunctionEndpoints,
  started: AsyncDisposableStack,
): Promise<Reached> {
  const { origin, refusals } = await guardBefore(endpoints, rights, started);
  return {
    endpoints: {
      AWS_ENDPOINT_URL_DYNAMODB: origin,
      AWS_ENDPOINT_URL_SQS: origin,
      AWS_ENDPOINT_URL_KMS: origin,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: origin,
    },
    addresses: [[queueOrigin, origin]],
    refusals,
  };
}

/** Puts a guard in front of every service for people, whose commands name the caller in the access key. */
export async function guardedForPeople(
  rights: Rights,
  endpoints: Endpoints,
  started: AsyncDisposableStack,
): Promise<Pick<Guard, 'refusals'> & { readonly endpoints: Endpoints }> {
  const { origin, refusals } = await guardBefore(endpoints, rights, started);
  return {
    endpoints: {
      AWS_ENDPOINT_URL_DYNAMODB: origin,
      AWS_ENDPOINT_URL_SQS: origin,
      AWS_ENDPOINT_URL_KMS: origin,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: origin,
      AWS_ENDPOINT_URL_LAMBDA: origin,
    },
    refusals,
  };
}

async function guardBefore(
  endpoints: FunctionEndpoints | Endpoints,
  rights: Rights,
  started: AsyncDisposableStack,
): Promise<Guard> {
  const upstream = (service: string): string =>
    upstreams(endpoints)[service] ?? endpoints.AWS_ENDPOINT_URL_DYNAMODB;
  return started.adopt(await guardRights({ ...rights, upstream }), (guard) => guard.stop());
}

const upstreams = (endpoints: FunctionEndpoints | Endpoints): Readonly<Record<string, string>> => ({
  ...('AWS_ENDPOINT_URL_LAMBDA' in endpoints && { Lambda: endpoints.AWS_ENDPOINT_URL_LAMBDA }),
  AmazonSQS: endpoints.AWS_ENDPOINT_URL_SQS,
  TrentService: endpoints.AWS_ENDPOINT_URL_KMS,
  secretsmanager: endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
});
