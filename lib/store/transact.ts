import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { Defect } from '../defect.ts';
import { fail, ok, type Result } from '../result.ts';
import { mayPass, wasRepeatedBelow } from './may-pass.ts';
import type { Table } from './table.ts';

/** One write of a transaction and what its refused condition means to the domain. Without a meaning it is a defect. */
export type TransactionStep<R extends string = never> = {
  readonly write: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  readonly onConditionFailed?: R;
};

/**
 * Writes all steps or none. Answers the meaning of the first refused condition, in the steps' order.
 * Conflicts, throttling and lost answers are tried again within the time of one call. A lost answer is repeated under the
 * same token, which applies it once.
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
    // One that was only slow may be applied even now; only under its token is the next try known for the same.
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
 * The first step that has a reason decides. A step that met another transaction hides what its own condition would
 * have said, so what later steps say is not believed before it.
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
    throw new Defect('CONDITION_ALWAYS_HOLDS_FAILED', 'A condition that always holds did not hold');
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

type Cancelled = { readonly error: unknown; readonly reasons?: readonly CancellationReason[] };

/** Undefined when it was applied; else why it was cancelled, without reasons when that is not known. */
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
