import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { SeededRandom } from './seeded-random.ts';
import { keysOf } from './keys.ts';

/** The kind of an outside call; it decides which faults may occur. */
export type CallKind =
  | 'read'
  | 'batch'
  | 'index'
  | 'write'
  | 'transact'
  | 'queue'
  | 'acquirer'
  | 'rail'
  | 'kms'
  | 'post'
  | 'pause'
  | 'outside';

export type Fault =
  | 'none'
  /** The handler dies before or after the call. */
  | 'crash_before'
  | 'crash_after'
  /** The call gets no answer: without effect, or after it took effect. */
  | 'lost_before'
  | 'lost_after'
  /** The call gets no answer and takes effect long after the handler stopped waiting. */
  | 'late'
  /** The call was committed and answers 500. */
  | 'error_after'
  /** The answer was lost, and the SDK retried the call. */
  | 'repeated'
  /** The SDK retried the call and met a conflicting transaction; the first attempt arrives long after that. */
  | 'repeated_late'
  | 'conflict'
  | 'throttle'
  /** The handler is suspended before the call, or between the call and its answer. */
  | 'freeze_before'
  | 'freeze_after'
  /** `partial`: a batch read leaves keys unprocessed. `stale`: an index query misses an item. */
  | 'partial'
  | 'stale'
  /** The index stops following the table for the next few reads. */
  | 'lagging';

type Rates = Partial<Readonly<Record<Fault, number>>>;

const anywhere: Rates = {
  crash_before: 0.012,
  crash_after: 0.012,
  freeze_before: 0.012,
  freeze_after: 0.008,
};
const remote: Rates = { lost_before: 0.03, lost_after: 0.04, error_after: 0.02, late: 0.02 };

/** Far above real rates, so that a once-a-year fault occurs within minutes. */
const rates: Readonly<Record<CallKind, Rates>> = {
  read: { ...anywhere, lost_before: 0.006, throttle: 0.004 },
  batch: { ...anywhere, lost_before: 0.006, throttle: 0.004, partial: 0.02 },
  index: { ...anywhere, lost_before: 0.01, stale: 0.1, lagging: 0.08 },
  write: {
    ...anywhere,
    lost_before: 0.01,
    lost_after: 0.015,
    repeated: 0.03,
    conflict: 0.02,
    throttle: 0.01,
  },
  transact: {
    ...anywhere,
    crash_before: 0.02,
    crash_after: 0.03,
    lost_before: 0.02,
    lost_after: 0.04,
    error_after: 0.03,
    late: 0.02,
    repeated: 0.02,
    repeated_late: 0.02,
    conflict: 0.08,
    throttle: 0.02,
  },
  queue: { ...anywhere, lost_before: 0.04, lost_after: 0.04 },
  acquirer: { ...anywhere, ...remote, crash_before: 0.02, crash_after: 0.03 },
  rail: { ...anywhere, ...remote, crash_before: 0.03, crash_after: 0.05 },
  kms: { ...anywhere, lost_before: 0.01 },
  post: { crash_before: 0.02, crash_after: 0.04, freeze_before: 0.01, freeze_after: 0.02 },
  pause: { crash_before: 0.02, freeze_before: 0.02 },
  outside: {},
};

/** The rates of a crash point that this run has not visited yet. */
const firstVisit: Rates = { crash_before: 0.05, crash_after: 0.05 };

/** An outage of one party, or a store that conflicts and throttles, for a while. */
export const storms = ['acquirer', 'rail', 'queue', 'kms', 'store'] as const;
export type Storm = (typeof storms)[number];

const overload: Readonly<Partial<Record<CallKind, Fault>>> = {
  transact: 'conflict',
  write: 'throttle',
  read: 'throttle',
};

function stormFault(random: SeededRandom, kind: CallKind, storm: Storm): Fault | undefined {
  if (storm === kind) return 'lost_before';
  return storm === 'store' && random.happens(0.3) ? overload[kind] : undefined;
}

/** Draws the fault of a call; `wanted` are the crashes that have not happened at its site yet. */
export function drawFault(
  random: SeededRandom,
  kind: CallKind,
  { wanted, storm }: { readonly wanted: readonly Fault[]; readonly storm: Storm | undefined },
): Fault {
  const stormy = storm && stormFault(random, kind, storm);
  if (stormy) return stormy;
  let left = random.next();
  for (const fault of keysOf(rates[kind])) {
    const rate = rates[kind][fault] ?? 0;
    left -= wanted.includes(fault) ? (firstVisit[fault] ?? rate) : rate;
    if (left < 0) return fault;
  }
  return 'none';
}

const injections = new WeakMap<object, CallKind>();

/** Returns the kind of call into which the harness injected this error; undefined when the code itself threw it. */
export const injectedInto = (error: unknown): CallKind | undefined =>
  typeof error === 'object' && error !== null ? injections.get(error) : undefined;

/** Marks the error as injected by the harness. */
export function injected<E extends Error>(error: E, kind: CallKind): E {
  injections.set(error, kind);
  return error;
}

const metadata = { $metadata: {}, message: 'injected' };

export function noAnswer(kind: CallKind): Error {
  const error = new Error('injected: no answer');
  error.name = 'TimeoutError';
  return injected(error, kind);
}

export const serverError = (kind: CallKind): Error =>
  injected(isStore(kind) ? new InternalServerError(metadata) : new Error('the sandbox answered 500'), kind);

const isStore = (kind: CallKind): boolean => ['read', 'batch', 'index', 'write', 'transact'].includes(kind);

type Refused = {
  readonly kind: CallKind;
  readonly why: 'conflict' | 'throttle';
  /** The number of writes in the transaction. */
  readonly writes: number;
  readonly random: SeededRandom;
  /** How many attempts the SDK made. */
  readonly attempts?: number;
};

/** Returns the error of a refused call. A transaction is either cancelled with a reason on one item, or refused before it is evaluated. */
export function refusedFor({ kind, why, writes, random, attempts = 1 }: Refused): Error {
  if (kind !== 'transact' || (why === 'throttle' && random.happens(0.5)))
    return injected(
      why === 'conflict'
        ? new TransactionConflictException(metadata)
        : new ProvisionedThroughputExceededException(metadata),
      kind,
    );
  const Code = why === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  const at = random.below(writes);
  const CancellationReasons = Array.from({ length: writes }, (_, step) => ({
    Code: step === at ? Code : 'None',
  }));
  const $metadata = { attempts };
  return injected(new TransactionCanceledException({ ...metadata, $metadata, CancellationReasons }), kind);
}
