import { callerIn } from '../../lib/installation/local-caller.ts';
import { namesOf } from '../../lib/installation/names.ts';
import type { RunnerOptions } from '../local/runner.ts';
import type { PersonOf } from '../local/services/rights-guard.ts';

const names = namesOf('local');

/** Who signs with an access key that the operator's commands made, and the policy that holds for them. */
export const personOf: PersonOf = (accessKey) => {
  const caller = callerIn(accessKey);
  if (!caller) return undefined;
  const { role, by } = caller;
  const policyName = role === 'administrator' ? undefined : names.policy(role);
  return { who: `${role} ${by}`, userid: by, policyName };
};

/** What the runner is told of Paylink, for it runs any template: rights are enforced, and links begin with its own address. */
export const paylinkHere = {
  rights: { personOf },
  addressVariable: 'PUBLIC_URL',
} as const satisfies Partial<RunnerOptions>;

/** The sandbox at an origin of its own, as an acquirer's pages have in production. */
export const sandboxAt = (port: number) => ({ port, path: '/sandbox' });
