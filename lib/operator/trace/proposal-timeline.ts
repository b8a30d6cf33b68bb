import type { Proposable } from '../decisions/decision.ts';
import type { Proposal } from '../decisions/proposal.ts';
import type { Step, Timeline } from './timeline.ts';

/** A proposal: who proposed and who decided it, why, and whether it was carried out. */
export const proposalTimeline = (proposal: Proposal): Timeline => {
  const { id, merchantId, status, decision, proposedBy, decided, refusal } = proposal;
  const facts = {
    status,
    kind: decision.kind,
    about: 'paymentId' in decision ? decision.paymentId : decision.payoutId,
    as: 'outcome' in decision ? decision.outcome : 'returned',
    merchant: merchantId,
    evidence: decision.evidence,
    'proposed by': proposedBy,
    'decided by': decided?.by,
    refusal,
  };
  return { subjects: [{ is: 'proposal', id, facts }], steps: stepsOf(proposal) };
};

function stepsOf({
  id,
  decision,
  proposedBy,
  proposedAt,
  decided,
  status,
  refusal,
}: Proposal): readonly Step[] {
  const proposed = {
    at: proposedAt,
    id,
    what: `proposed by ${proposedBy}: ${whatOf(decision)} (${decision.evidence})`,
  };
  if (!decided) return [proposed];
  const what =
    status === 'REJECTED'
      ? `rejected by ${decided.by}: ${decided.reason}`
      : `approved by ${decided.by}${refusal === undefined ? '' : `, and refused: ${refusal}`}`;
  return [proposed, { at: decided.at, id, what }];
}

const whatOf = (decision: Proposable): string =>
  decision.kind === 'return_payout' ? 'the payout came back' : `it was ${decision.outcome}`;
