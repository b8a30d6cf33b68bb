import { isSamePerson } from '../ledger/same-person.ts';
import { readReason } from '../ledger/signed-reason.ts';
import { fail, ok } from '../result.ts';
import type { Carried, DecisionOutcome, Signed } from './carry-out.ts';
import type { Proposable } from './decision.ts';
import {
  agreed,
  carriedOut,
  isFinalProposal,
  notCarriedOut,
  type Proposal,
  type Proposals,
  rejected,
} from './proposal.ts';

type Ports = { readonly proposals: Proposals; readonly now: () => Date };

type TakeEffect = (
  decision: Proposable,
  signature: { readonly by: string; readonly id: string; readonly approvedBy: string },
) => Promise<Carried>;

/**
 * The second person approves: the decision is carried out as it was proposed, after querying its provider again. The
 * approval is written first, so that a rejection cannot come in between; after a crash, approving again continues.
 */
export async function approveProposal(
  { proposals, now }: Ports,
  proposalId: string,
  { by, id }: Signed,
  takeEffect: TakeEffect,
): Promise<Carried> {
  const proposal = await proposals.find(proposalId);
  if (!proposal) return fail('proposal_not_found');
  if (isSamePerson(proposal.proposedBy, by)) return fail('same_person');
  if (isFinalProposal(proposal)) return repeated(proposal, id);
  const approved =
    proposal.status === 'APPROVED' ? proposal : agreed(proposal, { id, by, at: now(), reason: undefined });
  if (approved !== proposal) {
    const written = await proposals.move(proposal, approved);
    if (!written.ok) return written;
  }
  const approvedBy = approved.decided?.by ?? by;
  const done = await takeEffect(approved.decision, { by: approved.proposedBy, id: proposalId, approvedBy });
  const after = done.ok ? afterwards(approved, done.value) : notCarriedOut(approved, refusalText(done.error));
  // A concurrent call that carried it out has written the same.
  await proposals.move(approved, after);
  return done;
}

/** Each payout is released for sending or refused on its own; when all are refused, the proposal was not carried out. */
function afterwards(approved: Proposal, outcome: DecisionOutcome): Proposal {
  const verdicts = outcome.kind === 'payouts' ? outcome.verdicts : [];
  const refused = verdicts.filter(({ refusal }) => refusal !== undefined);
  if (refused.length === 0) return carriedOut(approved);
  const [{ refusal: only = '' } = {}] = refused;
  const text =
    verdicts.length === 1 ? only : refused.map(({ id, refusal = '' }) => `${id} ${refusal}`).join(', ');
  return refused.length === verdicts.length
    ? notCarriedOut(approved, text)
    : { ...carriedOut(approved), refusal: text };
}

/** Returns the earlier result when the same decision is repeated after a lost response. */
const repeated = ({ id, decided, status, refusal }: Proposal, decisionId: string): Carried => {
  if (decided?.id !== decisionId) return fail('proposal_already_decided');
  return status === 'REFUSED' ? fail(refusal ?? 'proposal_already_decided') : ok({ kind: 'proposal', id });
};

const refusalText = (error: Exclude<Carried, { ok: true }>['error']): string =>
  typeof error === 'string' ? error : `${error.contradictedBy} says ${error.says}`;

/** Rejects the proposal; nothing is carried out. An operator may reject only their own, which withdraws it. */
export async function rejectProposal(
  { proposals, now }: Ports,
  { proposalId, reason: said }: { readonly proposalId: string; readonly reason: string },
  { role, by, id }: Signed,
): Promise<Carried> {
  const reason = readReason(said);
  if (!reason.ok) return reason;
  const proposal = await proposals.find(proposalId);
  if (!proposal) return fail('proposal_not_found');
  if (role === 'operator' && !isSamePerson(proposal.proposedBy, by)) return fail('not_in_this_role');
  if (proposal.status !== 'PROPOSED') return repeated(proposal, id);
  const after = rejected(proposal, { id, by, at: now(), reason: reason.value });
  const written = await proposals.move(proposal, after);
  return written.ok ? ok({ kind: 'proposal', id: proposalId }) : written;
}
