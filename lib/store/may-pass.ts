import { isThrottlingError, isTransientError } from '@smithy/core/retry';

type SdkError = Parameters<typeof isTransientError>[0];
const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/**
 * Why a call failed that may succeed when it is made again. Refused: another's transaction holds the item, or the store
 * has too much to do, so nothing was done. Unanswered: it may have been done all the same. Undefined: it fails for good.
 */
export function mayPass(error: unknown): 'refused' | 'unanswered' | undefined {
  if (!isSdkError(error)) return undefined;
  if (error.name === 'TransactionConflictException') return 'refused';
  // The store is still at work on an earlier attempt of this one.
  if (error.name === 'TransactionInProgressException') return 'unanswered';
  if (isThrottlingError(error)) return 'refused';
  const isServers = '$fault' in error && error.$fault === 'server';
  return isServers || isTransientError(error) ? 'unanswered' : undefined;
}

/** Whether the SDK has made this call more often than once, and only the last answer is known. */
export function wasRepeatedBelow(error: unknown): boolean {
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const { $metadata: metadata } = error;
  const attempts = typeof metadata === 'object' && metadata && 'attempts' in metadata ? metadata.attempts : 1;
  return typeof attempts === 'number' && attempts > 1;
}
