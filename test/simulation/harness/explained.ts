import { injectedInto } from './faults.ts';
import type { Invocation } from './invocation.ts';

/** A transaction is tried this often before its handler may give up. */
const triesOnConflict = 6;
const triesOnLostAnswer = 3;

/** Whether the faults that a handler met explain why it failed; anything else is a defect. */
export function isExplained(error: unknown, by: Invocation): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isExplained(each, by));
  if (!(error instanceof Error)) return false;
  const met = (...faults: readonly string[]) => by.suffered.filter((fault) => faults.includes(fault)).length;
  if (error.name === 'TransactionFailed') return met('conflict', 'throttle') >= triesOnConflict;
  if (injectedInto(error) === 'transact')
    return met('lost_before', 'lost_after', 'error_after', 'late', 'throttle') >= triesOnLostAnswer;
  return injectedInto(error) !== undefined || isOfProvider(error);
}

/** What the sandbox's test values do. */
const isOfProvider = ({ message }: Error): boolean => message.startsWith('the sandbox answered');
