import { Defect } from '../defect.ts';
import type { MerchantId } from '../ids.ts';
import { isSamePerson } from '../ledger/same-person.ts';
import type { Result } from '../result.ts';
import type { Proposable } from './decision.ts';

/**
 * APPROVED is between the second person's word and its effect: a crash leaves it there, and approving again goes on. REFUSED:
 * two people agreed, but what it was about had changed, or its provider contradicted them.
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

/** The second person's decision; carried out once more, its id is known again. */
type SecondWord = {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  readonly reason: string | undefined;
};

/** A decision that takes a second person, as it was made: it does not change until that person has decided. */
export type Proposal = {
  /** That of the decision. */
  readonly id: string;
  /** Empty where it is about payouts of several merchants. */
  readonly merchantId: MerchantId | '';
  readonly decision: Proposable;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly status: ProposalStatus;
  readonly decided: SecondWord | undefined;
  /** Why it could not be carried out; of several payouts, those that could not be let go. */
  readonly refusal: string | undefined;
};

export interface Proposals {
  /** Once more under its id, it changes nothing. */
  create(proposal: Proposal): Promise<void>;
  find(id: string): Promise<Proposal | undefined>;
  /** Only while it is as it was read. */
  move(before: Proposal, after: Proposal): Promise<Result<void, 'proposal_already_decided'>>;
  /** Those that wait for a second person or for their effect, the oldest first. */
  listOpen(): Promise<readonly Proposal[]>;
}

/** The ids of the payment or payouts that it is about. */
export function aboutOf(decision: Proposable): readonly string[] {
  if (decision.kind === 'approve_payouts') return decision.payouts.map(({ id }) => id);
  return [decision.kind === 'resolve_payment' ? decision.paymentId : decision.payoutId];
}

/** What the first person says for it; an approval needs no reason. */
export const groundsOf = (decision: Proposable): string | undefined =>
  decision.kind === 'approve_payouts' ? decision.reason : decision.evidence;

/** Whether nobody has to decide on it any more. */
export const isFinalProposal = ({ status }: Pick<Proposal, 'status'>): boolean =>
  proposalMoves[status].length === 0;

/** The second person agrees; throws for the first, and on a move that there is not. */
export function agreed(proposal: Proposal, decided: SecondWord): Proposal {
  if (isSamePerson(proposal.proposedBy, decided.by))
    throw new Defect('PROPOSAL_SELF_APPROVED', 'Nobody approves what they proposed themselves');
  return { ...moved(proposal, 'APPROVED'), decided };
}

/** Refused by the second person, or withdrawn by the first. */
export const turnedDown = (
  proposal: Proposal,
  decided: SecondWord & { readonly reason: string },
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
    throw new Defect(
      'PROPOSAL_MOVE_IMPOSSIBLE',
      `A proposal does not go from ${proposal.status} to ${status}`,
    );
  return { ...proposal, status };
}
