import type { Decision, Role } from '../../decision/decision.ts';
import { aboutOf, type Proposal } from '../../decision/proposal.ts';
import { readPayoutId } from '../../ids.ts';
import type { Adjustment } from '../../ledger/adjustment.ts';
import { isSamePerson } from '../../ledger/same-person.ts';
import type { Payout, Decision as Verdict } from '../../payout/payout.ts';
import { differingNames } from './differing-names.ts';
import { decisionId, type Found, type Ref, rule } from './rule.ts';

/**
 * Each decision that an adjustment, a payout or a proposal names was made by that person, who alone can write into the partition of their
 * decisions. Without an id it is of a rule, or of a version that stored no decisions.
 */
export const decisionRules = [
  rule({
    invariant: 'decisions_were_made',
    of: 'adjustment',
    needs({ adjustment: { id, about, proposedBy, decision } }) {
      const subject = readPayoutId(about) === undefined ? 'payment' : 'payout';
      return [
        ...(about === undefined ? [] : [{ kind: subject, id: about } as const]),
        ...(decision?.id === undefined
          ? []
          : [made('operator', proposedBy, id), ...byEither(decision.by, decision.id)]),
      ];
    },
    broken: ({ adjustment }, found) =>
      [...wrongIn(adjustment, found)].map((why) => `adjustment ${adjustment.id} ${why}`),
  }),
  rule({
    invariant: 'decisions_were_made',
    of: 'payout',
    needs: ({ payout }) =>
      payout.decisions.flatMap(({ by, id, approvedBy }) =>
        id === undefined
          ? []
          : [
              made('operator', by, id),
              ...(approvedBy === undefined ? [] : [{ kind: 'proposal', id } as const]),
            ],
      ),
    broken: ({ payout }, found) =>
      payout.decisions
        .filter((verdict) => !isMade(payout, verdict, found))
        .map(
          ({ verdict, by, approvedBy }) =>
            `payout ${payout.id} was ${verdict} by ${[by, approvedBy].filter(Boolean).join(' and ')}, who made no such decision`,
        ),
  }),
  rule({
    invariant: 'decisions_were_made',
    of: 'proposal',
    needs: ({ proposal }) => [
      made('operator', proposal.proposedBy, proposal.id),
      ...(proposal.decided ? byEither(proposal.decided.by, proposal.decided.id) : []),
      ...payoutsOf(proposal).map((id) => ({ kind: 'payout', id }) as const),
    ],
    broken: ({ proposal }, found) =>
      [...wrongInProposal(proposal, found)].map((why) => `proposal ${proposal.id} ${why}`),
  }),
];

export const made = (role: Role, by: string, id: string): Ref => ({
  kind: 'decision',
  id: decisionId({ role, by, id }),
});
const byEither = (by: string, id: string): readonly Ref[] => [
  made('operator', by, id),
  made('approver', by, id),
];

export const decisionOf = (found: Found, role: Role, by: string, id: string): Decision | undefined =>
  found.one('decision', decisionId({ role, by, id }))?.made.decision;
const eitherOf = (found: Found, by: string, id: string): Decision | undefined =>
  decisionOf(found, 'approver', by, id) ?? decisionOf(found, 'operator', by, id);

/** Whether the decision has these values, apart from blanks around its reason. */
export const says = (decision: Decision | undefined, expected: Readonly<Record<string, unknown>>): boolean =>
  decision !== undefined && differingNames(trimmed(decision), trimmed(expected)).length === 0;

const trimmed = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );

function* wrongIn(adjustment: Adjustment, found: Found): Generator<string> {
  const { id, merchantId, direction, amount, reason, about, status, proposedBy, decision } = adjustment;
  if (about !== undefined && ownerOf(about, found) !== merchantId)
    yield `is about ${about}, which is not of merchant ${merchantId}`;
  if (!decision) return;
  if (status === 'APPROVED' && isSamePerson(proposedBy, decision.by)) yield 'was approved by its proposer';
  if (decision.id === undefined) return;
  const proposed = { kind: 'propose_adjustment', merchantId, direction, amount, reason, about };
  if (!says(decisionOf(found, 'operator', proposedBy, id), proposed))
    yield `is not what ${proposedBy} proposed`;
  const isDecided =
    status === 'APPROVED'
      ? says(decisionOf(found, 'approver', decision.by, decision.id), {
          kind: 'approve_adjustment',
          adjustmentId: id,
        })
      : says(eitherOf(found, decision.by, decision.id), {
          kind: 'reject_adjustment',
          adjustmentId: id,
          reason: decision.reason,
        });
  if (!isDecided) yield `is ${status} by ${decision.by}, who made no such decision`;
}

const ownerOf = (about: string, found: Found): string | undefined =>
  found.one('payout', about)?.payout.merchantId ?? found.one('payment', about)?.payment.merchantId;

/** What was decided about a payout, as its verdict has it. The evidence of one is the reason of the other. */
function isMade({ id: payoutId }: Payout, verdict: Verdict, found: Found): boolean {
  const { id, by, approvedBy, reason } = verdict;
  if (id === undefined) return true;
  const decision = decisionOf(found, 'operator', by, id);
  if (!decision || groundsIn(decision)?.trim() !== reason || !hasVerdict(decision, verdict, payoutId))
    return false;
  if (approvedBy === undefined) return true;
  const proposal = found.one('proposal', id)?.proposal;
  return (
    proposal?.proposedBy === by &&
    proposal.decided?.by === approvedBy &&
    aboutOf(proposal.decision).includes(payoutId)
  );
}

function groundsIn(decision: Decision): string | undefined {
  if ('evidence' in decision) return decision.evidence;
  return 'reason' in decision ? decision.reason : undefined;
}

const hasVerdict = (decision: Decision, { verdict }: Verdict, payoutId: string): boolean =>
  'payouts' in decision
    ? verdict === moderated[decision.kind] && decision.payouts.some(({ id }) => id === payoutId)
    : 'payoutId' in decision &&
      decision.payoutId === payoutId &&
      verdict === (decision.kind === 'return_payout' ? 'returned' : resolved[decision.outcome]);

const moderated = { approve_payouts: 'approved', decline_payouts: 'declined' } as const;
const resolved = { ask: 'asked_again', paid: 'paid', failed: 'failed' } as const;

function* wrongInProposal(proposal: Proposal, found: Found): Generator<string> {
  const { id, decision, proposedBy, status, decided } = proposal;
  if (!isProposed(decision, decisionOf(found, 'operator', proposedBy, id)))
    yield `is not what ${proposedBy} decided`;
  if ((status === 'PROPOSED') !== (decided === undefined))
    yield `is ${status}, but names ${decided ? 'a' : 'no'} second person`;
  if (!decided) return;
  const { by, reason } = decided;
  if (status === 'REJECTED') {
    if (!says(eitherOf(found, by, decided.id), { kind: 'reject_proposal', proposalId: id, reason }))
      yield `was rejected by ${by}, who made no such decision`;
    return;
  }
  if (isSamePerson(proposedBy, by)) yield 'was approved by its proposer';
  if (!says(decisionOf(found, 'approver', by, decided.id), { kind: 'approve_proposal', proposalId: id }))
    yield `was approved by ${by}, who made no such decision`;
  if (status !== 'DONE') return;
  for (const payoutId of payoutsOf(proposal)) {
    const isDone = found.one('payout', payoutId)?.payout.decisions.some((each) => each.id === id);
    if (!isDone && !proposal.refusal?.includes(payoutId)) yield `is DONE, but not with payout ${payoutId}`;
  }
}

/** A proposal to approve payouts has those of the decision that take two people. */
function isProposed(proposed: Proposal['decision'], decision: Decision | undefined): boolean {
  if (decision?.kind !== 'approve_payouts' || proposed.kind !== 'approve_payouts')
    return says(decision, proposed);
  const ids = new Set(proposed.payouts.map(({ id }) => id));
  return says({ ...decision, payouts: decision.payouts.filter(({ id }) => ids.has(id)) }, proposed);
}

const payoutsOf = ({ decision }: Proposal): readonly string[] =>
  decision.kind === 'approve_payouts' || 'payoutId' in decision ? aboutOf(decision) : [];
