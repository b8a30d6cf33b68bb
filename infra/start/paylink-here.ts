import { callerIn } from '../../lib/installation/local-caller.ts';
import { namesOf } from '../../lib/installation/names.ts';
import type { RunnerOptions } from '../local/runner.ts';
import type { PersonOf } from '../local/services/rights-guard.ts';

const names = namesOf('local');

/** Returns the person that an operator command's access key names, with the IAM policy for their role. */
export const personOf: PersonOf = (accessKey) => {
  const caller = callerIn(accessKey);
  if (!caller) return undefined;
  const { role, by } = caller;
  const policyName = role === 'administrator' ? undefined : names.policy(role);
  return { who: `${role} ${by}`, userid: by, policyName };
};

/** The runner's options for Paylink's template: rights are enforced, and links begin with the runner's own address. */
export const paylinkHere = {
  rights: { personOf },
  addressVariable: 'PUBLIC_URL',
  afterNewIndex: ' Give them theirs with npm run paylink -- migrate.',
} as const satisfies Partial<RunnerOptions>;

/** Serves the sandbox at a separate origin, as an acquirer's pages are in production. */
export const sandboxAt = (port: number) => ({ port, path: '/sandbox' });
