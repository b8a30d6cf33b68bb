import type { EnvironmentName } from '../lib/installation/environments.ts';

/** What an environment for real traffic needs of the account, and what is kept for the authorizer beside that. */
const needed = 1_000;
const authorizers = 200;

/**
 * Reserved concurrency of the authorizer where the account leaves room for it, so that payers' pages cannot starve the
 * API: a call of it takes some 20 ms, so these serve what the stage's throttle lets through. Undefined: it draws on what
 * all share.
 */
export const keptForAuthorizer = (free: number): number | undefined =>
  free >= needed + authorizers ? authorizers : undefined;

export type ConcurrencyVerdict = { readonly refusal?: string; readonly warning?: string };

/** Whether an environment may be deployed to an account that lets it run so many functions at a time. */
export function judgeConcurrency(environment: EnvironmentName, free: number): ConcurrencyVerdict {
  if (free >= needed) return {};
  const short =
    `The account lets Paylink run ${free} functions at a time, and real traffic needs ${grouped(needed)}: ask for ` +
    `${grouped(needed + authorizers)} (Service Quotas, AWS Lambda, Concurrent executions), of which ${authorizers} are for the authorizer`;
  return environment === 'dev' ? { warning: `${short}.` } : { refusal: `${short}, and deploy again.` };
}

const grouped = (count: number): string => count.toLocaleString('en-US');
