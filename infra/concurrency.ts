import type { EnvironmentName } from '../lib/installation/environments.ts';

/** The concurrency that an environment for real traffic needs, and what is reserved for the authorizer in addition. */
const needed = 1_000;
const authorizers = 200;

/**
 * Returns the authorizer's reserved concurrency, so that load on the payer pages cannot starve the API. An invocation takes
 * about 20 ms, so the reservation covers all requests within the stage's throttle. Undefined when the account has too
 * little: the authorizer then uses the unreserved concurrency.
 */
export const reservedForAuthorizer = (free: number): number | undefined =>
  free >= needed + authorizers ? authorizers : undefined;

export type ConcurrencyVerdict = { readonly refusal?: string; readonly warning?: string };

/** Decides whether an environment may be deployed with `free` concurrent executions: a refusal, a warning, or neither. */
export function judgeConcurrency(environment: EnvironmentName, free: number): ConcurrencyVerdict {
  if (free >= needed) return {};
  const short =
    `The account lets Paylink run ${free} functions at a time, and real traffic needs ${grouped(needed)}: ask for ` +
    `${grouped(needed + authorizers)} (Service Quotas, AWS Lambda, Concurrent executions), of which ${authorizers} are for the authorizer`;
  return environment === 'dev' ? { warning: `${short}.` } : { refusal: `${short}, and deploy again.` };
}

const grouped = (count: number): string => count.toLocaleString('en-US');
