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
export function isExplained(error: unknown, by: Invocation, run: Circumstances): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isExplained(each, by, run));
  if (!(error instanceof Error)) return false;
  const met = (...faults: readonly string[]) => by.suffered.filter((fault) => faults.includes(fault)).length;
  const isOfStore = error.name === 'TransactionFailed' || ofStore.includes(injectedInto(error) ?? 'outside');
  if (isOfStore) return met(...transientFaults) >= triesOfOneCall;
  if (run.isStranded && error.name === 'PaymentAtOtherAcquirer') return true;
  return injectedInto(error) !== undefined || isOfProvider(error);
}

/** `isStranded`: for a while a provider is not deployed that has payments under way. */
type Circumstances = { readonly isStranded: boolean };

/** Whether the failure is one that a test value of the sandbox asks for, or the provider was busy. */
const isOfProvider = ({ name, message }: Error): boolean =>
  name === 'ProviderBusy' || message.startsWith('the sandbox answered');
