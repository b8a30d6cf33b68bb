import { type FunctionEndpoints, localCredentials } from '../../../lib/installation/local-endpoints.ts';
import type { FunctionDefinition } from './functions.ts';
import { rewriteInvokeUrl, type LocalDeployment } from '../template/local-deployment.ts';

/** Changes to the template's environment variables. */
export type EnvironmentChanges = {
  /** Replaces the variables in the functions that have them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Replaces the beginning of addresses. The first match wins. */
  readonly addresses: readonly (readonly [from: string, to: string])[];
};

/** Returns a function's environment: the template's variables and those that Lambda adds, none of the runner's own process. */
export function functionEnvironment(
  definition: FunctionDefinition,
  endpoints: FunctionEndpoints,
  deployment: LocalDeployment,
  changes: EnvironmentChanges,
): Readonly<Record<string, string>> {
  const own = Object.entries(definition.environment).map(([name, value]) => [
    name,
    changes.variables[name] ?? moved(rewriteInvokeUrl(deployment, value), changes.addresses),
  ]);
  return {
    ...Object.fromEntries(own),
    ...endpoints,
    AWS_REGION: deployment.region,
    AWS_DEFAULT_REGION: deployment.region,
    AWS_ACCESS_KEY_ID: definition.name,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  };
}

function moved(value: string, addresses: EnvironmentChanges['addresses']): string {
  const move = addresses.find(([from]) => value === from || value.startsWith(`${from}/`));
  return move ? move[1] + value.slice(move[0].length) : value;
}
