import { Defect } from '../defect.ts';
import { acceptanceAfter, mayBeAtRail } from './acceptance.ts';
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
import type { RailView } from './rail.ts';
import type { FinalStatus, PayoutPhase, PayoutStatus } from './states.ts';
import { nextCheckAt } from './status-checks.ts';

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

/** Sent: recorded before the rail is called for the first time. */
export const sentOut = (payout: QueuedPayout, now: Date, rail: string): SentPayout => ({
  ...withoutState(payout),
  status: 'PROCESS',
  phase: 'SENT',
  providerKey: payout.id,
  rail,
  notTaken: undefined,
  sentAt: now,
  checks: 0,
  dueAt: nextCheckAt(0, now),
});

/** The outcome is still open: one more check, with the next longer gap. */
export const toBeCheckedLater = (payout: SentPayout, now: Date, view: RailView | undefined): SentPayout => ({
  ...payout,
  revision: payout.revision + 1,
  notTaken: undefined,
  checks: payout.checks + 1,
  dueAt: nextCheckAt(payout.checks + 1, now),
  ...acceptanceAfter(payout, view),
});

/** The rail accepted the payout. This is recorded in every open state. */
export const accepted = <P extends OpenPayout>(payout: P, view: RailView): P => ({
  ...payout,
  ...acceptanceAfter(payout, view),
  revision: payout.revision + 1,
});

/** The delay before sending again after the provider account was empty. */
const refillMs = 10 * 60_000;

/**
 * The operator's account at the provider is empty: the payout waits in the queue again. `notTaken`: no other call could
 * have reached the rail, so nothing of the payout is there.
 */
export const queuedAgain = (payout: SentPayout, now: Date, notTaken: boolean): QueuedPayout => ({
  ...withoutState(payout),
  status: 'PROCESS',
  phase: 'QUEUED',
  dueAt: new Date(now.getTime() + refillMs),
  notTaken: notTaken || undefined,
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
 * payout that the rail does not know may be sent again, so from now on it may be at the rail.
 */
export const askedAgain = (payout: PayoutInError, decision: Decision): SentPayout => ({
  ...withoutState(payout),
  status: 'PROCESS',
  phase: 'SENT',
  providerKey: payout.id,
  notTaken: undefined,
  reason: undefined,
  sentAt: decision.at,
  checks: 0,
  dueAt: decision.at,
  decisions: [...payout.decisions, decision],
});

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
