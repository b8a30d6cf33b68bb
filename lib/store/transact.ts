import { randomUUID } from 'node:crypto';
import {
  type CancellationReason,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { fail, ok, type Result } from '../result.ts';
import type { Table } from './table.ts';

/** One write of a transaction and what its refused condition means to the domain. Without a meaning it is a defect. */
export type Step<R extends string = never> = {
  readonly write: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  readonly onConditionFailed?: R;
};

const triesOnConflict = 6;
const repeatsOfUnknown = 2;

/**
 * Writes all steps or none. Answers the meaning of the first refused condition, in the steps' order.
 * Conflicts and throttling are retried; a lost answer is repeated under the same token, which applies it once.
 */
export async function transact<R extends string>(
  table: Table,
  steps: readonly Step<R>[],
): Promise<Result<void, R>> {
  let request = requestFor(steps);
  for (let attempt = 1; ; attempt += 1) {
    const reasons = await cancellation(table, request);
    if (!reasons) return ok(undefined);
    const verdict = verdictOf(steps, reasons);
    if (verdict !== 'retry') return fail(verdict.refused);
    if (attempt === triesOnConflict) throw new TransactionFailed(reasons);
    await table.backOff(attempt);
    // One that was only slow may be applied even now; only under its token is the next try known for the same.
    if (!request.wasUnknown) request = requestFor(steps);
  }
}

type Request = { readonly command: TransactWriteCommand; wasUnknown: boolean };

const requestFor = (steps: readonly Step<string>[]): Request => {
  const TransactItems = steps.map(({ write }) => write);
  const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
  return { command, wasUnknown: false };
};

/**
 * The first step that has a reason decides. A step that met another transaction hides what its own condition would
 * have said, so what later steps say is not believed before it.
 */
function verdictOf<R extends string>(
  steps: readonly Step<R>[],
  reasons: readonly CancellationReason[],
): 'retry' | { readonly refused: R } {
  for (const [at, { onConditionFailed }] of steps.entries()) {
    const { Code = 'None' } = reasons[at] ?? {};
    if (retryableCodes.has(Code)) return 'retry';
    if (Code === 'ConditionalCheckFailed' && onConditionFailed !== undefined)
      return { refused: onConditionFailed };
    if (Code !== 'ConditionalCheckFailed' && Code !== 'None') throw new TransactionFailed(reasons);
  }
  if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed'))
    throw new Error('A condition that always holds did not hold');
  return 'retry';
}

/** Neither refused nor applied: the transaction met others too often, or the store would not have it. */
class TransactionFailed extends Error {
  constructor(reasons: readonly CancellationReason[]) {
    super(`Transaction cancelled: ${reasons.map(({ Code }) => Code ?? 'None').join(', ')}`);
    this.name = 'TransactionFailed';
  }
}

const retryableCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Undefined when it was applied; else why it was cancelled. */
async function cancellation(
  { client, backOff }: Table,
  request: Request,
): Promise<readonly CancellationReason[] | undefined> {
  for (let repeat = 1; ; repeat += 1) {
    try {
      await client.send(request.command);
      return undefined;
    } catch (error) {
      if (error instanceof TransactionCanceledException) return error.CancellationReasons ?? [];
      if (!(isUnknown(error) || isThrottled(error)) || repeat > repeatsOfUnknown) throw error;
      request.wasUnknown = true;
      await backOff(repeat);
    }
  }
}

const throttled = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);
/** The store would not have this request. Under the same token, for an earlier one of it may have been applied. */
const isThrottled = (error: unknown): boolean => error instanceof Error && throttled.has(error.name);

/** The answer was lost or is still being made: it may have been applied. */
function isUnknown(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return true;
  if (!(error instanceof Error)) return false;
  const server = '$fault' in error && error.$fault === 'server';
  return server || error.name === 'TimeoutError' || ('code' in error && error.code === 'ECONNRESET');
}
