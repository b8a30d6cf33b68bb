import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For every AWS client: a call without an answer within this time is made again, by the SDK twice at most, so that one
 * call ends within a function's time. Calls to the store are repeated by our own code (lib/store/README.md).
 * Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export const requestHandler = {
  requestTimeout: 2_500,
  connectionTimeout: 1_000,
  throwOnRequestTimeout: true,
} as const;

/** The database's client: the SDK makes each call once, because it does not report an attempt whose answer was lost. */
export const databaseConfig = { requestHandler, maxAttempts: 1 } as const;

/** For the operator's command, which waits for a function to end: longer than that function's own time. */
export const whileAFunctionRuns = { ...requestHandler, requestTimeout: 65_000 } as const;

const deadlines = new AsyncLocalStorage<() => number>();

/** Does the work of one invocation, whose time ends as `remaining` says, in milliseconds from now. */
export const withDeadline = <T>(remaining: () => number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(remaining, work);

/** What is left of the invocation's time, in milliseconds; infinite outside a function. */
export const remainingMs = (): number => deadlines.getStore()?.() ?? Number.POSITIVE_INFINITY;
