/**
 * Every AWS client's: an answer comes within this, or the SDK asks again, twice at most, within the function's own time.
 * Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export const requestHandler = {
  requestTimeout: 2_500,
  connectionTimeout: 1_000,
  throwOnRequestTimeout: true,
} as const;
