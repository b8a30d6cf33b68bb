/**
 * Every AWS client's: an answer comes within this, or the SDK asks again, twice at most: one call ends within a function's time.
 * A transaction whose answer stays unknown is repeated beyond that; a function that is ended meanwhile leaves it whole.
 * Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export const requestHandler = {
  requestTimeout: 2_500,
  connectionTimeout: 1_000,
  throwOnRequestTimeout: true,
} as const;
