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

/** What stays of a payout that moves on: everything but its state. */
function kept(payout: OpenPayout) {
  const { status, phase, dueAt, ...stays }: WithDestination & State = payout;
  return { ...stays, revision: payout.revision + 1 };
}

/** U2: queued for the dispatcher. */
export const approved = (payout: ModeratedPayout, decision: Decision): QueuedPayout => ({
  ...kept(payout),
  status: 'PROCESS',
  phase: 'QUEUED',
  dueAt: decision.at,
  decisions: [...payout.decisions, decision],
});

/** U4 was refused: a moderator decides anew, about a payout of which nothing is at the rail. */
export const stopped = (payout: QueuedPayout, decision: Decision): ModeratedPayout => ({
  ...kept(notAtRail(payout)),
  status: 'MODERATING',
  decisions: [...payout.decisions, decision],
});

function notAtRail<P extends OpenPayout>(payout: P): P {
  if (mayBeAtRail(payout)) throw new Defect('PAYOUT_MAY_BE_AT_RAIL', 'The rail may have this payout already');
  return payout;
}

/** U4: written before the rail is called for the first time. */
export const sentOut = (payout: QueuedPayout, now: Date, rail: string): SentPayout => ({
  ...kept(payout),
  status: 'PROCESS',
  phase: 'SENT',
  providerKey: payout.id,
  rail,
  notTaken: undefined,
  sentAt: now,
  checks: 0,
  dueAt: nextCheckAt(0, now),
});

/** Nothing final was learned; the next check is later than this one. */
export const toBeAskedLater = (payout: SentPayout, now: Date, view: RailView | undefined): SentPayout => ({
  ...payout,
  revision: payout.revision + 1,
  notTaken: undefined,
  checks: payout.checks + 1,
  dueAt: nextCheckAt(payout.checks + 1, now),
  ...acceptanceAfter(payout, view),
});

/** The rail has it, which is written down whatever else the payout is waiting for. */
export const accepted = <P extends OpenPayout>(payout: P, view: RailView): P => ({
  ...payout,
  ...acceptanceAfter(payout, view),
  revision: payout.revision + 1,
});

/** How long until an empty account at the provider is tried again. */
const refillMs = 10 * 60_000;

/**
 * Our own account at the provider is empty: no fault of the payout's, it waits its turn again. `notTaken`: this answers
 * its only call that nobody knew the outcome of.
 */
export const queuedAgain = (payout: SentPayout, now: Date, notTaken: boolean): QueuedPayout => ({
  ...kept(payout),
  status: 'PROCESS',
  phase: 'QUEUED',
  dueAt: new Date(now.getTime() + refillMs),
  notTaken: notTaken || undefined,
});

/** U7: a person must look; the money stays locked. */
export const inError = (payout: PayoutBefore<'ERROR'>, why: string, view?: RailView): PayoutInError => ({
  ...kept(payout),
  status: 'ERROR',
  reason: why,
  ...acceptanceAfter(payout, view),
});

/**
 * U8: the operator has the rail asked again, from the beginning of the schedule. What it said before still counts, but
 * what it has never heard of may be sent again, so it may be there from now on.
 */
export const askedAgain = (payout: PayoutInError, decision: Decision): SentPayout => ({
  ...kept(payout),
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

/** Why a payout became final: the rail's word, a person's, or both. */
export type Why = { readonly view?: RailView | undefined; readonly decision?: Decision | undefined };

/** U3, U5, U6: final, and the destination is erased. */
export function finished<S extends FinalStatus>(
  payout: PayoutBefore<S>,
  status: S,
  { view, decision }: Why = {},
): FinalPayout {
  const { destination, ...stays } = kept(status === 'DECLINED' ? notAtRail(payout) : payout);
  return {
    ...stays,
    status,
    ...acceptanceAfter(payout, view),
    reference: view?.reference ?? payout.reference,
    reason: view?.reason ?? payout.reason,
    decisions: decision ? [...payout.decisions, decision] : payout.decisions,
  };
}

/** U9: the status stays, the merchant was told SUCCESS. */
export const returned = (payout: PaidPayout, decision: Decision): PaidPayout => ({
  ...payout,
  revision: payout.revision + 1,
  decisions: [...payout.decisions, decision],
});
