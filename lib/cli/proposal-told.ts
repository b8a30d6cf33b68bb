import { toDecimal } from '../money/money.ts';
import type { Proposable } from '../operator/decisions/decision.ts';
import type { Proposal } from '../operator/decisions/proposal.ts';
import { chargeMinor } from '../payment/payment.ts';
import { sentMinor } from '../payout/payout.ts';
import type { OperatorContext } from './operator-context.ts';
import type { CommandOutput } from './output.ts';
import { required } from './refusals.ts';

/** What --json shows of a proposal. */
export const proposalView = ({ decision, decided, ...proposal }: Proposal) => ({
  id: proposal.id,
  status: proposal.status,
  kind: decision.kind,
  about: aboutOf(decision),
  as: 'outcome' in decision ? decision.outcome : 'returned',
  merchantId: proposal.merchantId,
  evidence: decision.evidence,
  proposedBy: proposal.proposedBy,
  proposedAt: proposal.proposedAt.toISOString(),
  decidedBy: decided?.by ?? null,
  decidedAt: decided?.at.toISOString() ?? null,
  rejectedBecause: decided?.reason ?? null,
  refusal: proposal.refusal ?? null,
});

export const aboutOf = (decision: Proposable): string =>
  'paymentId' in decision ? decision.paymentId : decision.payoutId;

/** In words: what happens once it is approved. */
export async function describeProposal(context: OperatorContext, { decision }: Proposal): Promise<string> {
  if (decision.kind === 'resolve_payment') {
    const payment = required(await context.payments.find(decision.paymentId), 'payment_not_found');
    const minor = decision.amountMinor ?? chargeMinor(payment);
    return `take ${toDecimal(minor)} ${payment.amount.currency} of payment ${payment.id} as ${decision.outcome}`;
  }
  const payout = required(await context.payouts.find(decision.payoutId), 'payout_not_found');
  const money = `${toDecimal(sentMinor(payout))} ${payout.amount.currency}`;
  return decision.kind === 'return_payout'
    ? `give ${money} of payout ${payout.id} back to the merchant’s balance`
    : `take ${money} of payout ${payout.id} as ${decision.outcome}`;
}

/** Nothing has moved yet. */
export async function proposalTold(context: OperatorContext, id: string): Promise<CommandOutput> {
  const proposal = required(await context.proposals.find(id), 'proposal_not_found');
  const what = await describeProposal(context, proposal);
  const text = `No provider confirms it, so this takes two people: proposal ${id} is to ${what}.\nSomebody else decides: proposals approve ${id}`;
  return { json: proposalView(proposal), text };
}
