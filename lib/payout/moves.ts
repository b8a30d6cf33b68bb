import { Defect } from '../defect.ts';
import { acceptanceAfter, mayBeAtRail, wasAccepted } from './acceptance.ts';
import type {
  Decision,
  FinalPayout,
  ModeratedPayout,
  OpenPayout,
  PaidPayout,
  PayoutBefore,
  PayoutInError,
  QueuedPayout,
  SentPayout,
  WithDestination,
} from './payout.ts';
import type { RailView } from './payout-rail.ts';
import { withCall } from './rail-calls.ts';
import type { FinalStatus, PayoutPhase, PayoutStatus } from './states.ts';
import { nextCheckAt } from './status-checks.ts';
import { firstCallOf, keyOf, keyOfAttempt } from './transfer.ts';

type State = { readonly status: PayoutStatus; readonly phase?: PayoutPhase; readonly dueAt?: Date };

/** Returns everything but the state of a payout, at the next revision. */
function withoutState(payout: OpenPayout) {
  const { status, phase, dueAt, ...rest }: WithDestination & State = payout;
  return { ...rest, revision: payout.revision + 1 };
}

/** Approved: queued for the dispatcher. */
export const approved = (payout: ModeratedPayout, decision: Decision): QueuedPayout => ({
  ...withoutState(payout),
  status: 'PROCESS',
  phase: 'QUEUED',
  dueAt: decision.at,
  decisions: [...payout.decisions, decision],
});

/** Sending was refused: back to the moderator. Throws for a payout that may be at the rail. */
export const stopped = (payout: QueuedPayout, decision: Decision): ModeratedPayout => ({
  ...withoutState(notAtRail(payout)),
  status: 'MODERATING',
  decisions: [...payout.decisions, decision],
});

function notAtRail<P extends OpenPayout>(payout: P): P {
  if (mayBeAtRail(payout)) throw new Defect('PAYOUT_MAY_BE_AT_RAIL', 'The rail may have this payout already');
  return payout;
}

/** Sent: recorded before the rail is called. */
export const sentOut = (payout: QueuedPayout, now: Date, rail: string): SentPayout =>
  called(
    {
      ...withoutState(payout),
      ...(needsNewKey(payout, rail) ? nextAttempt(payout) : {}),
      status: 'PROCESS',
      phase: 'SENT',
      rail,
      notTaken: undefined,
      sentAt: now,
      checks: 0,
      dueAt: nextCheckAt(0, now),
    },
    now,
  );

/**
 * Whether the next call has a new key: before the first call, after an attempt that the rail ended, and at another rail. After
 * no answer only the same key may be sent.
 */
const needsNewKey = (payout: QueuedPayout, rail: string): boolean =>
  payout.providerKey === undefined || payout.attemptOver === true || isOfAnother(payout, rail);

const isOfAnother = ({ rail: sentTo }: QueuedPayout, rail: string): boolean =>
  sentTo !== undefined && sentTo !== rail;

/** The next attempt, of which the rail has reported nothing yet. An earlier version sent one attempt under the payout's id. */
function nextAttempt({ id, providerKey, attempt }: OpenPayout) {
  const next = (attempt ?? (providerKey === undefined ? 0 : 1)) + 1;
  return {
    attempt: next,
    providerKey: keyOfAttempt(id, next),
    firstCallAt: undefined,
    lastCallAt: undefined,
    attemptOver: undefined,
    accepted: undefined,
    reference: undefined,
  };
}

/** Records a call of `send`, unanswered so far. */
function called(payout: SentPayout, now: Date): SentPayout {
  const call = { call: 'send', key: keyOf(payout), at: now, answer: { state: 'no_answer' } } as const;
  return {
    ...payout,
    firstCallAt: firstCallOf(payout) ?? now,
    lastCallAt: now,
    railCalls: withCall(payout.railCalls, call),
  };
}

/** Sent again under the same key: recorded before the rail is called, with the rail, as this may be the first call after all. */
export const sentAgain = (payout: SentPayout, now: Date, rail: string): SentPayout =>
  called({ ...toBeCheckedLater(payout, now, undefined), rail: payout.rail ?? rail }, now);

/** The outcome is still open: one more check, with the next longer gap. */
export const toBeCheckedLater = (payout: SentPayout, now: Date, view: RailView | undefined): SentPayout => ({
  ...payout,
  revision: payout.revision + 1,
  notTaken: undefined,
  checks: payout.checks + 1,
  dueAt: nextCheckAt(payout.checks + 1, now),
  ...acceptanceAfter(payout, view),
});

/** The rail was too busy to be called: the same check, when it may be called again. */
export const toBeCheckedAt = (payout: SentPayout, dueAt: Date): SentPayout => ({
  ...payout,
  revision: payout.revision + 1,
  dueAt,
});

/** The rail accepted the payout. This is recorded in every open state. */
export const accepted = <P extends OpenPayout>(payout: P, view: RailView): P => ({
  ...payout,
  ...acceptanceAfter(payout, view),
  revision: payout.revision + 1,
});

/**
 * The rail took nothing: the payout waits in the queue again. `notTaken`: nothing of the payout is there, and no call that is
 * still in flight can change that. `attemptOver`: its key is used up as well.
 */
export const queuedAgain = (
  payout: SentPayout,
  dueAt: Date,
  { notTaken, attemptOver }: { readonly notTaken: boolean; readonly attemptOver: boolean },
): QueuedPayout => ({
  ...withoutState(payout),
  status: 'PROCESS',
  phase: 'QUEUED',
  dueAt,
  notTaken: notTaken || undefined,
  attemptOver: attemptOver || undefined,
  ...(notTaken && { firstCallAt: undefined }),
  ...(attemptOver && { accepted: undefined, reference: undefined }),
});

/** Undecided: ERROR until a person resolves it; the money stays locked. */
export const inError = (payout: PayoutBefore<'ERROR'>, why: string, view?: RailView): PayoutInError => ({
  ...withoutState(payout),
  status: 'ERROR',
  reason: why,
  ...acceptanceAfter(payout, view),
});

/**
 * Resolved by checking again: the rail is queried from the start of the schedule. Recorded acceptance still counts. A
 * payout that the rail does not know may be sent again, so from now on it may be at the rail. One whose last attempt the rail
 * has ended, and did not accept after that, waits in the queue for the next attempt.
 */
export function askedAgain(payout: PayoutInError, decision: Decision): SentPayout | QueuedPayout {
  const open = {
    ...withoutState(payout),
    status: 'PROCESS',
    reason: undefined,
    dueAt: decision.at,
    decisions: [...payout.decisions, decision],
  } as const;
  if (payout.attemptOver && !wasAccepted(payout)) return { ...open, phase: 'QUEUED' };
  const key = payout.providerKey === undefined ? nextAttempt(payout) : {};
  const sent = { attemptOver: undefined, notTaken: undefined, sentAt: decision.at, checks: 0 } as const;
  return { ...open, ...key, ...sent, phase: 'SENT' };
}

/** Why a payout became final: the rail's response, a person's decision, or both. */
export type Why = { readonly view?: RailView; readonly decision?: Decision };

/** Settled, failed or declined: final, and the destination is erased. */
export function finished<S extends FinalStatus>(
  payout: PayoutBefore<S>,
  status: S,
  { view, decision }: Why = {},
): FinalPayout {
  const { destination, ...rest } = withoutState(status === 'DECLINED' ? notAtRail(payout) : payout);
  return {
    ...rest,
    status,
    ...acceptanceAfter(payout, view),
    reference: view?.reference ?? payout.reference,
    reason: view?.reason ?? payout.reason,
    decisions: decision ? [...payout.decisions, decision] : payout.decisions,
  };
}

/** Returned: the status does not change, as the merchant has already received SUCCESS. */
export const returned = (payout: PaidPayout, decision: Decision): PaidPayout => ({
  ...payout,
  revision: payout.revision + 1,
  decisions: [...payout.decisions, decision],
});
