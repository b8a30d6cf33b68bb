import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The timeouts of every AWS client. The SDK retries a timed-out call at most twice, so that one call ends within a function's
 * timeout. Calls to the store are retried by the project's own code (lib/store/README.md). Without `throwOnRequestTimeout` the SDK
 * only logs a warning and keeps waiting.
 */
export const requestHandler = {
  requestTimeout: 2_500,
  connectionTimeout: 1_000,
  throwOnRequestTimeout: true,
} as const;

/** The DynamoDB client makes each call once: the SDK does not report that an earlier attempt's response was lost. */
export const databaseConfig = { requestHandler, maxAttempts: 1 } as const;

/** For the operator's command, which waits for a function: longer than that function's timeout. */
export const whileAFunctionRuns = { ...requestHandler, requestTimeout: 65_000 } as const;

const deadlines = new AsyncLocalStorage<() => number>();

/** The same for the reconciliation of a day. */
export const whileADayIsReconciled = { ...requestHandler, requestTimeout: 910_000 } as const;

/** Runs the work of one invocation; `remaining` returns the milliseconds until its timeout. */
export const withDeadline = <T>(remaining: () => number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(remaining, work);

/** Returns the milliseconds until the invocation's timeout; infinity outside a function. */
export const remainingMs = (): number => deadlines.getStore()?.() ?? Number.POSITIVE_INFINITY;
