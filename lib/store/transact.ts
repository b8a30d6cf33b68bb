import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { Defect } from '../defect.ts';
import { fail, ok, type Result } from '../result.ts';
import { mayPass, wasRepeatedBelow } from './may-pass.ts';
import type { Table } from './table.ts';

/** One write of a transaction, and what its failed condition means to the domain. Without a meaning it is a defect. */
export type TransactionStep<R extends string = never> = {
  readonly write: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  readonly onConditionFailed?: R;
};

/**
 * Writes all steps or none. Returns the meaning of the first failed condition, in the order of the steps.
 * Conflicts, throttling and lost responses are retried within the time limit of one call. After a lost response the retry
 * has the same client token, so DynamoDB applies the request once.
 */
export async function transact<R extends string>(
  table: Table,
  steps: readonly TransactionStep<R>[],
): Promise<Result<void, R>> {
  const pause = table.backOff();
  let request = requestFor(steps);
  for (let retry = 1; ; retry += 1) {
    const cancelled = await cancellation(table, request);
    if (!cancelled) return ok(undefined);
    const verdict = cancelled.reasons ? verdictOf(steps, cancelled.reasons) : 'retry';
    if (verdict !== 'retry') return fail(verdict.refused);
    if (!(await pause(retry)))
      throw cancelled.reasons ? new TransactionFailed(cancelled.reasons) : cancelled.error;
    // An unanswered attempt may still be applied; only its token identifies the next attempt as the same request.
    if (cancelled.reasons && !request.wasUnknown) request = requestFor(steps);
  }
}

type Request = { readonly command: TransactWriteCommand; wasUnknown: boolean };

const requestFor = (steps: readonly TransactionStep<string>[]): Request => {
  const TransactItems = steps.map(({ write }) => write);
  const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
  return { command, wasUnknown: false };
};

/**
 * The first step with a cancellation reason decides. A step in conflict with another transaction does not report its own
 * condition, so the conditions of later steps do not count before it.
 */
function verdictOf<R extends string>(
  steps: readonly TransactionStep<R>[],
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
    throw new Defect('CONDITION_ALWAYS_HOLDS_FAILED', 'A condition that always holds has failed');
  return 'retry';
}

/** The transaction was not applied: conflicts until the time limit, or DynamoDB rejected it. */
class TransactionFailed extends Error {
  constructor(reasons: readonly CancellationReason[]) {
    super(`Transaction cancelled: ${reasons.map(({ Code }) => Code ?? 'None').join(', ')}`);
    this.name = 'TransactionFailed';
  }
}

const retryableCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

type Cancelled = { readonly error: unknown; readonly reasons?: readonly CancellationReason[] };

/** Sends the request. Undefined when it was applied; else the error, with the cancellation reasons if they are known. */
async function cancellation({ client }: Table, request: Request): Promise<Cancelled | undefined> {
  try {
    await client.send(request.command);
    return undefined;
  } catch (error) {
    if (wasRepeatedBelow(error)) request.wasUnknown = true;
    if (error instanceof TransactionCanceledException)
      return { error, reasons: error.CancellationReasons ?? [] };
    const why = mayPass(error);
    if (!why) throw error;
    if (why === 'unanswered') request.wasUnknown = true;
    return { error };
  }
}
