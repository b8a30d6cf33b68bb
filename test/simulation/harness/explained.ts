import { type CallKind, injectedInto } from './faults.ts';
import { triesOfOneCall } from './faulty-table.ts';
import type { Invocation } from './invocation.ts';

/** A call to the store is made so often before its handler may give up. */
const whatMayPass = [
  'conflict',
  'throttle',
  'lost_before',
  'lost_after',
  'error_after',
  'late',
  'repeated_late',
] as const;
const ofStore: readonly CallKind[] = ['transact', 'write', 'read', 'batch', 'index'];

/** Whether the faults that a handler met explain why it failed; anything else is a defect. */
export function isExplained(error: unknown, by: Invocation): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isExplained(each, by));
  if (!(error instanceof Error)) return false;
  const met = (...faults: readonly string[]) => by.suffered.filter((fault) => faults.includes(fault)).length;
  const isOfStore = error.name === 'TransactionFailed' || ofStore.includes(injectedInto(error) ?? 'outside');
  if (isOfStore) return met(...whatMayPass) >= triesOfOneCall;
  return injectedInto(error) !== undefined || isOfProvider(error);
}

/** What the sandbox's test values do. */
const isOfProvider = ({ message }: Error): boolean => message.startsWith('the sandbox answered');
