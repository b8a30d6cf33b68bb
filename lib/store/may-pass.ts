import { isThrottlingError, isTransientError } from '@smithy/core/retry';

type SdkError = Parameters<typeof isTransientError>[0];
const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/**
 * Returns why a call failed that may be retried. `refused`: a transaction conflict or throttling, so nothing was applied.
 * `unanswered`: the response was lost, so it may have been applied. Undefined: a retry would fail again.
 */
export function mayPass(error: unknown): 'refused' | 'unanswered' | undefined {
  if (!isSdkError(error)) return undefined;
  if (error.name === 'TransactionConflictException') return 'refused';
  // An earlier attempt of this request is still in progress.
  if (error.name === 'TransactionInProgressException') return 'unanswered';
  if (isThrottlingError(error)) return 'refused';
  const isServers = '$fault' in error && error.$fault === 'server';
  return isServers || isTransientError(error) ? 'unanswered' : undefined;
}

/** Whether the SDK itself retried the call, so that only the last response is known. */
export function wasRepeatedBelow(error: unknown): boolean {
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const { $metadata: metadata } = error;
  const attempts = typeof metadata === 'object' && metadata && 'attempts' in metadata ? metadata.attempts : 1;
  return typeof attempts === 'number' && attempts > 1;
}
