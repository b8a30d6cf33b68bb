import { acceptanceAfter, mayBeAtRail } from './acceptance.ts';
import type { Decision, Payout } from './payout.ts';
import type { RailView } from './rail.ts';
import { type FinalStatus, mayMove, type PayoutStatus } from './states.ts';
import { nextCheckAt } from './status-checks.ts';

/** One step of a payout's life; throws on a move that the table of states does not have. */
function moved(payout: Payout, status: PayoutStatus, changes: Partial<Payout>): Payout {
  if (!mayMove(payout.status, status)) {
    throw new Error(`A payout does not go from ${payout.status} to ${status}`);
  }
  return { ...payout, status, ...changes, revision: payout.revision + 1 };
}

const withDecision = (payout: Payout, decision: Decision | undefined): readonly Decision[] =>
  decision ? [...payout.decisions, decision] : payout.decisions;

/** U2: queued for the dispatcher. */
export const approved = (payout: Payout, decision: Decision): Payout =>
  moved(payout, 'PROCESS', {
    phase: 'QUEUED',
    dueAt: decision.at,
    decisions: withDecision(payout, decision),
  });

/** U4 was refused: a moderator decides anew, about a payout of which nothing is at the rail. */
export const stopped = (payout: Payout, decision: Decision): Payout =>
  moved(notAtRail(payout), 'MODERATING', {
    phase: undefined,
    dueAt: undefined,
    decisions: withDecision(payout, decision),
  });

function notAtRail(payout: Payout): Payout {
  if (mayBeAtRail(payout)) throw new Error('The rail may have this payout already');
  return payout;
}

/** U4: written before the rail is called for the first time. */
export const sentOut = (payout: Payout, now: Date, rail: string): Payout =>
  moved(payout, 'PROCESS', {
    phase: 'SENT',
    providerKey: payout.id,
    rail,
    notTaken: undefined,
    sentAt: now,
    checks: 0,
    dueAt: nextCheckAt(0, now),
  });

/** Nothing final was learned; the next check is later than this one. */
export const toBeAskedLater = (payout: Payout, now: Date, view: RailView | undefined): Payout =>
  moved(payout, 'PROCESS', {
    notTaken: undefined,
    checks: payout.checks + 1,
    dueAt: nextCheckAt(payout.checks + 1, now),
    ...acceptanceAfter(payout, view),
  });

/** The rail has it, which is written down whatever else the payout is waiting for. */
export const accepted = (payout: Payout, view: RailView): Payout => ({
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
export const queuedAgain = (payout: Payout, now: Date, notTaken: boolean): Payout =>
  moved(payout, 'PROCESS', {
    phase: 'QUEUED',
    dueAt: new Date(now.getTime() + refillMs),
    notTaken: notTaken || undefined,
  });

/** U7: a person must look; the money stays locked. */
export const inError = (payout: Payout, why: string, view?: RailView): Payout =>
  moved(payout, 'ERROR', {
    reason: why,
    phase: undefined,
    dueAt: undefined,
    ...acceptanceAfter(payout, view),
  });

/**
 * U8: the operator has the rail asked again, from the beginning of the schedule. What it said before still counts, but
 * what it has never heard of may be sent again, so it may be there from now on.
 */
export const askedAgain = (payout: Payout, decision: Decision): Payout =>
  moved(payout, 'PROCESS', {
    phase: 'SENT',
    providerKey: payout.id,
    notTaken: undefined,
    reason: undefined,
    sentAt: decision.at,
    checks: 0,
    dueAt: decision.at,
    decisions: withDecision(payout, decision),
  });

/** U3, U5, U6: final, and the destination is erased. */
export const finished = (
  payout: Payout,
  status: FinalStatus,
  { view, decision }: { readonly view?: RailView | undefined; readonly decision?: Decision | undefined } = {},
): Payout =>
  moved(status === 'DECLINED' ? notAtRail(payout) : payout, status, {
    phase: undefined,
    dueAt: undefined,
    destination: undefined,
    ...acceptanceAfter(payout, view),
    reference: view?.reference ?? payout.reference,
    reason: view?.reason ?? payout.reason,
    decisions: withDecision(payout, decision),
  });

/** U9: the status stays, the merchant was told SUCCESS. */
export function returned(payout: Payout, decision: Decision): Payout {
  if (payout.status !== 'SUCCESS') throw new Error('Only a paid payout can come back');
  return { ...payout, revision: payout.revision + 1, decisions: withDecision(payout, decision) };
}
