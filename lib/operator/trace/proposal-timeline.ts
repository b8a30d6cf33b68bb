import type { Proposable } from '../../decision/decision.ts';
import { aboutOf, groundsOf, type Proposal } from '../../decision/proposal.ts';
import type { TimelineStep, Timeline } from './timeline.ts';

/** Returns the timeline of a proposal: who proposed and who decided it, why, and whether it was carried out. */
export const proposalTimeline = (proposal: Proposal): Timeline => {
  const { id, merchantId, status, decision, proposedBy, decided, refusal } = proposal;
  const facts = {
    status,
    kind: decision.kind,
    about: aboutOf(decision).join(', '),
    as: outcomeOf(decision),
    merchant: merchantId || undefined,
    evidence: groundsOf(decision),
    'proposed by': proposedBy,
    'decided by': decided?.by,
    refusal,
  };
  return { subjects: [{ kind: 'proposal', id, facts }], steps: stepsOf(proposal) };
};

function stepsOf({
  id,
  decision,
  proposedBy,
  proposedAt,
  decided,
  status,
  refusal,
}: Proposal): readonly TimelineStep[] {
  const grounds = groundsOf(decision);
  const proposed = {
    at: proposedAt,
    id,
    what: `proposed by ${proposedBy}: ${whatOf(decision)}${grounds === undefined ? '' : ` (${grounds})`}`,
  };
  if (!decided) return [proposed];
  const what =
    status === 'REJECTED'
      ? `rejected by ${decided.by}: ${decided.reason}`
      : `approved by ${decided.by}${refusal === undefined ? '' : `, and refused: ${refusal}`}`;
  return [proposed, { at: decided.at, id, what }];
}

/** Returns what its subject becomes when the proposal is carried out. */
export function outcomeOf(decision: Proposable): string {
  return 'outcome' in decision ? decision.outcome : outcomes[decision.kind];
}

const outcomes: Readonly<Record<Exclude<Proposable, { readonly outcome: string }>['kind'], string>> = {
  approve_payouts: 'approved',
  return_payout: 'returned',
  confirm_chargeback: 'confirmed',
  dismiss_chargeback: 'dismissed',
  write_off_claim: 'written off',
};

function whatOf(decision: Proposable): string {
  switch (decision.kind) {
    case 'resolve_payment':
    case 'resolve_payout':
      return `it was ${decision.outcome}`;
    case 'return_payout':
      return 'the payout was returned';
    case 'confirm_chargeback':
      return `confirm the chargeback, borne by the ${decision.bearer}`;
    case 'dismiss_chargeback':
      return 'dismiss the chargeback';
    case 'write_off_claim':
      return 'write off the claim';
    case 'approve_payouts': {
      const { length } = decision.payouts;
      return length === 1 ? 'approve the payout' : `approve ${length} payouts`;
    }
  }
}
