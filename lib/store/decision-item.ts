import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { directions } from '../ledger/adjustment.ts';
import { bearers, chargebackDirections } from '../ledger/chargeback.ts';
import { balanceCurrencies } from '../money/money.ts';
import type { Decision, DecisionKey, MadeDecision, Proposable } from '../decision/decision.ts';
import { isFinalProposal, type Proposal, proposalStatuses } from '../decision/proposal.ts';
import { receiptSubjects } from '../payment/follow-receipts.ts';
import { handOutcomes, paymentPhases } from '../payment/payment.ts';
import { errorOutcomes } from '../payout/resolve-error.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import { orderStates } from './unknown-payments.ts';

const partitions = { operator: 'OPERATOR', approver: 'APPROVER' } as const;

/** Decision: in the partition of its author's identity, which IAM compares with the caller's. Never deleted. */
export const decisionKey = ({ role, by, id }: DecisionKey) => ({ PK: `${partitions[role]}#${by}`, SK: id });

/** Returns the role, the author and the id that a decision has in its key. */
export function decisionKeyFrom({ PK, SK: id }: { readonly PK: string; readonly SK: string }): DecisionKey {
  const role = PK.startsWith(`${partitions.operator}#`) ? 'operator' : 'approver';
  return { role, by: PK.slice(partitions[role].length + 1), id };
}

/** Proposal: read by id; on a work list until it is decided. The list is short and read whole. Never deleted. */
export const proposalKey = (id: string) => ({ PK: `PR#${id}`, SK: 'PR' }) as const;
export const proposalList = 'W#PR';

const shown = z.array(z.object({ id: z.string(), revision: z.number() }));

const proposable = [
  z.object({
    kind: z.literal('resolve_payment'),
    paymentId: z.string(),
    phase: z.enum(paymentPhases),
    outcome: z.enum(handOutcomes),
    amountMinor: orAbsent(minor),
    evidence: z.string(),
  }),
  z.object({
    kind: z.literal('resolve_payout'),
    payoutId: z.string(),
    revision: z.number(),
    outcome: z.enum(errorOutcomes),
    evidence: z.string(),
  }),
  z.object({
    kind: z.literal('return_payout'),
    payoutId: z.string(),
    revision: z.number(),
    evidence: z.string(),
  }),
  z.object({ kind: z.literal('approve_payouts'), payouts: shown, reason: orAbsent(z.string()) }),
  z.object({
    kind: z.literal('confirm_chargeback'),
    chargebackId: z.string(),
    bearer: z.enum(bearers),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('dismiss_chargeback'), chargebackId: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('write_off_claim'), claimId: z.string(), reason: z.string() }),
] as const;

const decision = z.discriminatedUnion('kind', [
  ...proposable,
  z.object({ kind: z.literal('ask_about_payment'), paymentId: z.string() }),
  z.object({
    kind: z.literal('close_unknown_payment'),
    provider: z.string(),
    reference: z.string(),
    state: z.enum(orderStates),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('close_receipt'),
    paymentId: z.string(),
    refundId: orAbsent(z.string()),
    of: z.enum(receiptSubjects),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('decline_payouts'), payouts: shown, reason: z.string() }),
  z.object({
    kind: z.literal('propose_adjustment'),
    merchantId: storedId<MerchantId>(),
    direction: z.enum(directions),
    amount: z.object({ minor, currency: z.enum(balanceCurrencies) }),
    reason: z.string(),
    about: orAbsent(z.string()),
  }),
  z.object({
    kind: z.literal('enter_chargeback'),
    paymentId: z.string(),
    direction: z.enum(chargebackDirections),
    amountMinor: minor,
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('create_refund'),
    paymentId: z.string(),
    amountMinor: minor,
    reason: z.string(),
  }),
  z.object({ kind: z.literal('collect_claim'), claimId: z.string() }),
  z.object({ kind: z.literal('approve_adjustment'), adjustmentId: z.string() }),
  z.object({ kind: z.literal('reject_adjustment'), adjustmentId: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('approve_proposal'), proposalId: z.string() }),
  z.object({ kind: z.literal('reject_proposal'), proposalId: z.string(), reason: z.string() }),
]);

const made = z.object({ madeAt: orAbsent(moment) });

export const toDecision = (raw: unknown): MadeDecision => ({
  decision: decision.parse(raw),
  at: made.parse(raw).madeAt,
});

export const decisionItem = (key: DecisionKey, decided: Decision, at: Date) => ({
  ...decisionKey(key),
  ...decided,
  madeAt: at.toISOString(),
});

const proposal = z.object({
  id: z.string(),
  merchantId: storedId<MerchantId>(),
  decision: z.discriminatedUnion('kind', [...proposable]),
  proposedBy: z.string(),
  proposedAt: moment,
  status: z.enum(proposalStatuses),
  decided: orAbsent(z.object({ id: z.string(), by: z.string(), at: moment, reason: orAbsent(z.string()) })),
  refusal: orAbsent(z.string()),
} satisfies Record<AttributeOf<Proposal>, z.ZodMiniType>);

export const toProposal = (raw: unknown): Proposal & { readonly decision: Proposable } => proposal.parse(raw);

export function proposalItem({ decided, ...given }: Proposal) {
  const proposedAt = given.proposedAt.toISOString();
  return {
    ...proposalKey(given.id),
    ...given,
    proposedAt,
    decided: decided && { ...decided, at: decided.at.toISOString() },
    ...(!isFinalProposal(given) && { workList: proposalList, workDue: proposedAt }),
  };
}
