/**
 * Every AWS client's: an answer comes within this, or the call is made again, by the SDK twice at most: one call ends
 * within a function's time. The store's calls are made again by us (lib/store/README.md).
 * Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export const requestHandler = {
  requestTimeout: 2_500,
  connectionTimeout: 1_000,
  throwOnRequestTimeout: true,
} as const;

/** The database's client: the SDK makes each call once, for it does not tell of an attempt whose answer was lost. */
export const databaseConfig = { requestHandler, maxAttempts: 1 } as const;

/** For the operator's command, which waits for a function to end: longer than that function's own time. */
export const whileAFunctionRuns = { ...requestHandler, requestTimeout: 65_000 } as const;
