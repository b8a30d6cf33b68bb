import { type CallKind, injectedInto } from './faults.ts';
import { triesOfOneCall } from './faulty-table.ts';
import type { Invocation } from './invocation.ts';

/** Store faults that the service retries: a handler may fail only after as many as `triesOfOneCall` of them. */
const transientFaults = [
  'conflict',
  'throttle',
  'lost_before',
  'lost_after',
  'error_after',
  'late',
  'repeated_late',
] as const;
const ofStore: readonly CallKind[] = ['transact', 'write', 'read', 'batch', 'index'];

/** Whether the injected faults explain a handler's failure; a failure that they do not explain is a defect. */
export function isExplained(error: unknown, by: Invocation): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isExplained(each, by));
  if (!(error instanceof Error)) return false;
  const met = (...faults: readonly string[]) => by.suffered.filter((fault) => faults.includes(fault)).length;
  const isOfStore = error.name === 'TransactionFailed' || ofStore.includes(injectedInto(error) ?? 'outside');
  if (isOfStore) return met(...transientFaults) >= triesOfOneCall;
  return injectedInto(error) !== undefined || isOfProvider(error);
}

/** Whether the failure is one that a test value of the sandbox asks for. */
const isOfProvider = ({ message }: Error): boolean => message.startsWith('the sandbox answered');
