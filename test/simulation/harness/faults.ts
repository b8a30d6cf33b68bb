import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { SeededRandom } from './seeded-random.ts';
import { keysOf } from './keys.ts';

/** What kind of outside call it is; it decides what may go wrong. */
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
  /** The handler is gone, before or after the call was made. */
  | 'crash_before'
  | 'crash_after'
  /** No answer, and nothing was done; no answer, and all was done. */
  | 'lost_before'
  | 'lost_after'
  /** No answer, and it is done long after the handler gave up waiting. */
  | 'late'
  /** 500, although it was committed. */
  | 'error_after'
  /** The answer was lost and the SDK made the call again. */
  | 'repeated'
  /** The same, but the first attempt arrives long after the second, which met another transaction. */
  | 'repeated_late'
  | 'conflict'
  | 'throttle'
  /** The handler stands still, before the call or between the call and its answer. */
  | 'freeze_before'
  | 'freeze_after'
  /** The store leaves some of the keys for later; the index answers as it was a moment ago. */
  | 'partial'
  | 'stale'
  /** For several reads from now on the index answers as it is now. */
  | 'lagging';

type Rates = Partial<Readonly<Record<Fault, number>>>;

const anywhere: Rates = {
  crash_before: 0.012,
  crash_after: 0.012,
  freeze_before: 0.012,
  freeze_after: 0.008,
};
const remote: Rates = { lost_before: 0.03, lost_after: 0.04, error_after: 0.02, late: 0.02 };

/** Far above real rates: what happens once in a year is to happen within minutes. */
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

/** How a crash point that this run has not been at yet is preferred. */
const firstVisit: Rates = { crash_before: 0.05, crash_after: 0.05 };

/** For a while one party answers nobody, or the store is overrun (R14). */
export const storms = ['acquirer', 'rail', 'queue', 'kms', 'store'] as const;
export type Storm = (typeof storms)[number];

const overrun: Readonly<Partial<Record<CallKind, Fault>>> = {
  transact: 'conflict',
  write: 'throttle',
  read: 'throttle',
};

function stormFault(random: SeededRandom, kind: CallKind, storm: Storm): Fault | undefined {
  if (storm === kind) return 'lost_before';
  return storm === 'store' && random.happens(0.3) ? overrun[kind] : undefined;
}

/** Draws what happens to a call; `wanted` are the crash points of its site that are still to be visited. */
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

/** The call that the harness let this error come from; undefined when the code itself threw it. */
export const injectedInto = (error: unknown): CallKind | undefined =>
  typeof error === 'object' && error !== null ? injections.get(error) : undefined;

/** The error, known as one that the harness made. */
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
  /** The writes of a transaction. */
  readonly writes: number;
  readonly random: SeededRandom;
  /** How often the SDK made the call. */
  readonly attempts?: number;
};

/** A transaction is cancelled as a whole, and one of its items says why; or the store would not even look at it. */
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
