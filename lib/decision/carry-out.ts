import { readPaymentId, readRefundId, readPayoutId } from '../ids.ts';
import type { Adjustments } from '../ledger/adjustment.ts';
import { type Contradiction, readPersonName } from '../ledger/signed-reason.ts';
import type { Merchants, TermsOf } from '../merchant/ports.ts';
import type { Payments } from '../payment/ports.ts';
import { resolveByHand } from '../payment/resolve-by-hand.ts';
import type { Payouts } from '../payout/ports.ts';
import { recordReturn } from '../payout/record-return.ts';
import { resolveError } from '../payout/resolve-error.ts';
import { fail, ok, type Result } from '../result.ts';
import { approveAdjustment, rejectAdjustment } from './decide-adjustment.ts';
import { askAboutPayment } from '../payment/ask-about-payment.ts';
import { type ClaimPorts, collectClaim, writeOffClaim } from './close-claim.ts';
import { closeReceipt } from './close-receipt.ts';
import { closeUnknownPayment } from './close-unknown-payment.ts';
import { type ChargebackPorts, confirmChargeback, dismissChargeback } from './decide-chargeback.ts';
import { enterChargeback } from './enter-chargeback.ts';
import { refundByOperator } from './refund-by-operator.ts';
import type { CreateRefundPorts } from '../refund/create-refund.ts';
import { proposeAdjustment } from './propose-adjustment.ts';
import { approveProposal, rejectProposal } from './decide-proposal.ts';
import {
  decidedBy,
  type Decision,
  type DecisionKey,
  type Decisions,
  isDecisionId,
  isExpired,
  type Proposable,
  type Role,
} from './decision.ts';
import { moderatePayouts, type PayoutVerdict } from './moderate-payouts.ts';
import type { Proposals } from './proposal.ts';

export type CarryOutPorts = {
  readonly decisions: Decisions;
  readonly proposals: Proposals;
  readonly adjustments: Adjustments;
  readonly merchants: Pick<Merchants, 'find'>;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly payments: Payments;
  readonly payouts: Payouts;
} & ChargebackPorts &
  ClaimPorts &
  CreateRefundPorts &
  Parameters<typeof closeUnknownPayment>[0] &
  Parameters<typeof closeReceipt>[0] &
  Parameters<typeof resolveByHand>[0] &
  Parameters<typeof resolveError>[0];

type Subject =
  | 'payment'
  | 'refund'
  | 'payout'
  | 'adjustment'
  | 'chargeback'
  | 'claim'
  | 'unknown_payment'
  | 'receipt';

/** The result of a decision: what it changed, or a proposal that waits for a second person. */
export type DecisionOutcome =
  | { readonly kind: Subject | 'proposal'; readonly id: string }
  | { readonly kind: 'payouts'; readonly verdicts: readonly PayoutVerdict[] };

/** A key of the command's messages, or a provider's contradiction. */
type DecisionRefusal = string | Contradiction;
export type Carried = Result<DecisionOutcome, DecisionRefusal>;

/** The person whose decision is carried out, and the decision's id. */
export type Signed = { readonly role: Role; readonly by: string; readonly id: string };

/**
 * Carries out what a person decided: the only writer of postings and of transitions of bills, payments and payouts that a
 * person causes. The decision is read from a key that only its author can have written. A repeated or concurrent call has
 * no further effect. A decision expires one hour after it was made.
 */
export async function carryOut(ports: CarryOutPorts, key: DecisionKey): Promise<Carried> {
  if (readPersonName(key.by) === undefined) return fail('person_invalid');
  const made = isDecisionId(key.id) ? await ports.decisions.find(key) : undefined;
  if (!made) return fail('decision_not_found');
  if (isExpired(made, ports.now())) return fail('decision_expired');
  const { decision } = made;
  if (!decidedBy[decision.kind].includes(key.role)) return fail('not_in_this_role');
  return carried(ports, decision, key);
}

async function carried(ports: CarryOutPorts, decision: Decision, signed: Signed): Promise<Carried> {
  const { by, id } = signed;
  switch (decision.kind) {
    case 'resolve_payment':
    case 'resolve_payout':
    case 'return_payout':
    case 'confirm_chargeback':
    case 'dismiss_chargeback':
    case 'write_off_claim':
      return proposedUnlessDone(ports, decision, signed);
    case 'enter_chargeback':
      return the('chargeback', await enterChargeback(ports, { ...decision, by, id }));
    case 'create_refund':
      return the('refund', await refundByOperator(ports, { ...decision, by, id }));
    case 'collect_claim':
      return the('claim', await collectClaim(ports, { ...decision, by, id }));
    case 'ask_about_payment':
      return the('payment', await askAboutPayment(ports, { paymentId: readPaymentId(decision.paymentId) }));
    case 'close_unknown_payment': {
      const closed = await closeUnknownPayment(ports, { ...decision, by, id });
      return closed.ok ? ok({ kind: 'unknown_payment', id: closed.value.reference }) : closed;
    }
    case 'close_receipt': {
      const paymentId = readPaymentId(decision.paymentId);
      const refundId = readRefundId(decision.refundId);
      const closed = await closeReceipt(ports, { ...decision, paymentId, refundId, by, id });
      return closed.ok ? ok({ kind: 'receipt', id: closed.value.paymentId }) : closed;
    }
    case 'approve_payouts':
    case 'decline_payouts':
      return moderatePayouts(ports, decision, { by, id });
    case 'propose_adjustment':
      return the('adjustment', await proposeAdjustment(ports, { ...decision, by, id }));
    case 'approve_adjustment':
      return the('adjustment', await approveAdjustment(ports, { ...decision, by, id }));
    case 'reject_adjustment':
      return the('adjustment', await rejectAdjustment(ports, { ...decision, ...signed }));
    case 'approve_proposal':
      return approveProposal(ports, decision.proposalId, signed, (proposed, signature) =>
        takeEffect(ports, proposed, signature),
      );
    case 'reject_proposal':
      return rejectProposal(ports, decision, signed);
  }
}

/** Carries out the decision, or proposes it when it needs a second person. */
async function proposedUnlessDone(
  ports: CarryOutPorts,
  decision: Exclude<Proposable, { kind: 'approve_payouts' }>,
  { by, id }: Signed,
): Promise<Carried> {
  const known = await ports.proposals.find(id);
  if (known) return ok({ kind: 'proposal', id });
  const done = await takeEffect(ports, decision, { by, id });
  if (done.ok || done.error !== 'takes_two_people') return done;
  const { merchantId = '' } = (await subjectOf(ports, decision)) ?? {};
  const proposal = {
    id,
    merchantId,
    decision,
    proposedBy: by,
    proposedAt: ports.now(),
    status: 'PROPOSED',
    decided: undefined,
    refusal: undefined,
  } as const;
  await ports.proposals.create(proposal);
  return ok({ kind: 'proposal', id });
}

function subjectOf(
  { payments, payouts, chargebacks, claims }: CarryOutPorts,
  decision: Exclude<Proposable, { kind: 'approve_payouts' }>,
) {
  if ('chargebackId' in decision) return chargebacks.find(decision.chargebackId);
  if ('claimId' in decision) return claims.find(decision.claimId);
  if (decision.kind === 'resolve_payment') {
    const paymentId = readPaymentId(decision.paymentId);
    return paymentId && payments.find(paymentId);
  }
  const payoutId = readPayoutId(decision.payoutId);
  return payoutId && payouts.find(payoutId);
}

type Signature = { readonly by: string; readonly id: string; readonly approvedBy?: string };

async function takeEffect(
  ports: CarryOutPorts,
  decision: Proposable,
  signature: Signature,
): Promise<Carried> {
  switch (decision.kind) {
    case 'approve_payouts':
      return moderatePayouts(ports, decision, signature);
    case 'resolve_payment': {
      const paymentId = readPaymentId(decision.paymentId);
      return the('payment', await resolveByHand(ports, { ...decision, ...signature, paymentId }));
    }
    case 'resolve_payout': {
      const payoutId = readPayoutId(decision.payoutId);
      return the('payout', await resolveError(ports, { ...decision, ...signature, payoutId }));
    }
    case 'return_payout': {
      const payoutId = readPayoutId(decision.payoutId);
      return the('payout', await recordReturn(ports, { ...decision, ...signature, payoutId }));
    }
    case 'confirm_chargeback':
      return the('chargeback', await confirmChargeback(ports, { ...decision, ...signature }));
    case 'dismiss_chargeback':
      return the('chargeback', await dismissChargeback(ports, { ...decision, ...signature }));
    case 'write_off_claim':
      return the('claim', await writeOffClaim(ports, { ...decision, ...signature }));
  }
}

const the = (kind: Subject, done: Result<{ readonly id: string }, DecisionRefusal>): Carried =>
  done.ok ? ok({ kind, id: done.value.id }) : done;
