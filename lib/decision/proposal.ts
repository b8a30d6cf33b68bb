import { Defect } from '../defect.ts';
import type { MerchantId } from '../ids.ts';
import { isSamePerson } from '../ledger/same-person.ts';
import type { Result } from '../result.ts';
import type { Proposable } from './decision.ts';

/**
 * APPROVED is the time between the approval and its effect: after a crash the proposal stays there, and approving again
 * continues. REFUSED: two people agreed, but the payment or payout had changed, or its provider contradicted them.
 */
export const proposalStatuses = ['PROPOSED', 'APPROVED', 'DONE', 'REFUSED', 'REJECTED'] as const;
type ProposalStatus = (typeof proposalStatuses)[number];

const proposalMoves: Readonly<Record<ProposalStatus, readonly ProposalStatus[]>> = {
  PROPOSED: ['APPROVED', 'REJECTED'],
  APPROVED: ['DONE', 'REFUSED'],
  DONE: [],
  REFUSED: [],
  REJECTED: [],
};

/** The second person's decision. Its id identifies a repetition. */
type SecondDecision = {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  readonly reason: string | undefined;
};

/** A decision that waits for a second person. Its content never changes. */
export type Proposal = {
  /** The id of the decision. */
  readonly id: string;
  /** Empty when the payouts belong to several merchants. */
  readonly merchantId: MerchantId | '';
  readonly decision: Proposable;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly status: ProposalStatus;
  readonly decided: SecondDecision | undefined;
  /** Why it could not be carried out; for several payouts, those that could not be released for sending. */
  readonly refusal: string | undefined;
};

export interface Proposals {
  /** No effect when a proposal with this id exists. */
  create(proposal: Proposal): Promise<void>;
  find(id: string): Promise<Proposal | undefined>;
  /** On condition that the proposal is unchanged since it was read. */
  move(before: Proposal, after: Proposal): Promise<Result<void, 'proposal_already_decided'>>;
  /** The PROPOSED and APPROVED ones, oldest first. */
  listOpen(): Promise<readonly Proposal[]>;
}

/** Returns the ids of the payment, payouts, chargeback or claim that the decision is about. */
export function aboutOf(decision: Proposable): readonly string[] {
  switch (decision.kind) {
    case 'approve_payouts':
      return decision.payouts.map(({ id }) => id);
    case 'resolve_payment':
      return [decision.paymentId];
    case 'resolve_payout':
    case 'return_payout':
      return [decision.payoutId];
    case 'confirm_chargeback':
    case 'dismiss_chargeback':
      return [decision.chargebackId];
    case 'write_off_claim':
      return [decision.claimId];
  }
}

/** Returns the first person's evidence or reason; approving payouts needs none. */
export const groundsOf = (decision: Proposable): string | undefined =>
  'evidence' in decision ? decision.evidence : decision.reason;

/** Whether the proposal is in a final status. */
export const isFinalProposal = ({ status }: Pick<Proposal, 'status'>): boolean =>
  proposalMoves[status].length === 0;

/** Returns the approved proposal. Throws when the approver is the proposer, and on an impossible transition. */
export function agreed(proposal: Proposal, decided: SecondDecision): Proposal {
  if (isSamePerson(proposal.proposedBy, decided.by))
    throw new Defect('PROPOSAL_SELF_APPROVED', 'A proposal cannot be approved by its proposer');
  return { ...moved(proposal, 'APPROVED'), decided };
}

/** Returns the proposal as rejected by the second person or withdrawn by the first. */
export const rejected = (
  proposal: Proposal,
  decided: SecondDecision & { readonly reason: string },
): Proposal => ({
  ...moved(proposal, 'REJECTED'),
  decided,
});

export const carriedOut = (proposal: Proposal): Proposal => moved(proposal, 'DONE');

export const notCarriedOut = (proposal: Proposal, refusal: string): Proposal => ({
  ...moved(proposal, 'REFUSED'),
  refusal,
});

function moved(proposal: Proposal, status: ProposalStatus): Proposal {
  if (!proposalMoves[proposal.status].includes(status))
    throw new Defect('PROPOSAL_MOVE_IMPOSSIBLE', `A proposal cannot go from ${proposal.status} to ${status}`);
  return { ...proposal, status };
}
