import { readPaymentId, readPayoutId } from '../ids.ts';
import { toDecimal } from '../money/money.ts';
import { aboutOf, groundsOf, type Proposal } from '../decision/proposal.ts';
import { outcomeOf } from '../operator/trace/proposal-timeline.ts';
import { chargeMinor } from '../payment/payment.ts';
import { type WaitingOrder, waitingOrders } from '../payout/moderation-queue.ts';
import { sentMinor } from '../payout/payout.ts';
import { chargebackTold, claimTold } from './chargeback-told.ts';
import { ordersTable, totalOf } from './moderation-told.ts';
import type { OperatorContext } from './operator-context.ts';
import type { CommandOutput } from './output.ts';
import { required } from './refusals.ts';

/** What --json shows of a proposal. */
export const proposalView = ({ decision, decided, ...proposal }: Proposal) => ({
  id: proposal.id,
  status: proposal.status,
  kind: decision.kind,
  about: aboutOf(decision).join(', '),
  as: outcomeOf(decision),
  merchantId: proposal.merchantId,
  evidence: groundsOf(decision) ?? null,
  proposedBy: proposal.proposedBy,
  proposedAt: proposal.proposedAt.toISOString(),
  decidedBy: decided?.by ?? null,
  decidedAt: decided?.at.toISOString() ?? null,
  rejectedBecause: decided?.reason ?? null,
  refusal: proposal.refusal ?? null,
});

/** Describes what an approval does. */
export async function describeProposal(context: OperatorContext, { decision }: Proposal): Promise<string> {
  if (decision.kind === 'approve_payouts')
    return `release ${totalOf(await ordersIn(context, decision.payouts))} for sending`;
  if (decision.kind === 'resolve_payment') {
    const paymentId = required(readPaymentId(decision.paymentId), 'payment_not_found');
    const payment = required(await context.payments.find(paymentId), 'payment_not_found');
    const minor = decision.amountMinor ?? chargeMinor(payment);
    return `take ${toDecimal(minor)} ${payment.amount.currency} of payment ${payment.id} as ${decision.outcome}`;
  }
  if ('chargebackId' in decision) {
    const chargeback = required(
      await context.chargebacks.find(decision.chargebackId),
      'chargeback_not_found',
    );
    return decision.kind === 'confirm_chargeback'
      ? chargebackTold(context, chargeback, decision.bearer)
      : `dismiss chargeback ${chargeback.id} over ${toDecimal(chargeback.amount.minor)} ${chargeback.amount.currency}`;
  }
  if ('claimId' in decision)
    return `write off ${claimTold(required(await context.claims.find(decision.claimId), 'claim_not_found'))}`;
  const payoutId = required(readPayoutId(decision.payoutId), 'payout_not_found');
  const payout = required(await context.payouts.find(payoutId), 'payout_not_found');
  const money = `${toDecimal(sentMinor(payout))} ${payout.amount.currency}`;
  return decision.kind === 'return_payout'
    ? `return ${money} of payout ${payout.id} to the merchant’s balance`
    : `take ${money} of payout ${payout.id} as ${decision.outcome}`;
}

/** Returns the question for the second person, with the payouts in their current state. */
export async function approvalQuestion(context: OperatorContext, proposal: Proposal): Promise<string> {
  const { decision } = proposal;
  const grounds = groundsOf(decision);
  const question = `Agree to ${await describeProposal(context, proposal)}${grounds === undefined ? '' : ` (${grounds})`}?`;
  if (decision.kind !== 'approve_payouts') return question;
  return `${ordersTable(await ordersIn(context, decision.payouts), context.now(), '')}\n${question}`;
}

/** Returns the payouts of a proposal, grouped by order. */
export async function ordersIn(
  { payouts }: Pick<OperatorContext, 'payouts'>,
  shown: readonly { readonly id: string }[],
): Promise<readonly WaitingOrder[]> {
  const found = await Promise.all(
    shown.map(async ({ id }) => {
      const payoutId = required(readPayoutId(id), 'payout_not_found');
      return required(await payouts.find(payoutId), 'payout_not_found');
    }),
  );
  const known = await payouts.toKnownAccounts(found);
  return waitingOrders(
    found.map((payout) => ({ payout, known: known.has(payout.id), secondPerson: undefined })),
  );
}

const chargebacksTakeTwo = 'Chargebacks and claims are decided by two people';
const whyTwoPeople: Readonly<Record<Proposal['decision']['kind'], string>> = {
  approve_payouts: 'It is above the sum that one person may approve',
  resolve_payment: 'No provider confirms it',
  resolve_payout: 'No provider confirms it',
  return_payout: 'No provider confirms it',
  confirm_chargeback: chargebacksTakeTwo,
  dismiss_chargeback: chargebacksTakeTwo,
  write_off_claim: chargebacksTakeTwo,
};

/** Returns the output about a new proposal: no money has moved yet. */
export async function proposalOutput(context: OperatorContext, id: string): Promise<CommandOutput> {
  const proposal = required(await context.proposals.find(id), 'proposal_not_found');
  const what = await describeProposal(context, proposal);
  const why = whyTwoPeople[proposal.decision.kind];
  const text = `${why}, so it needs a second person: proposal ${id} is to ${what}.\nAnother person decides: proposals approve ${id}`;
  return { json: proposalView(proposal), text };
}
