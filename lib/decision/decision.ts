import type { Direction } from '../ledger/adjustment.ts';
import type { Bearer, ChargebackDirection } from '../ledger/chargeback.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { ReceiptSubject } from '../payment/follow-receipts.ts';
import type { HandOutcome, PaymentPhase } from '../payment/payment.ts';
import type { UnknownPayment } from '../payment/unknown-payments.ts';
import type { ErrorOutcome } from '../payout/resolve-error.ts';

/** Operators make decisions; approvers approve those that need two people. Nobody has both roles. */
export const roles = ['operator', 'approver'] as const;
export type Role = (typeof roles)[number];

/** A payout as shown to the person: the decision is refused when the revision has changed. */
export type ShownPayout = { readonly id: string; readonly revision: number };

/** The most payouts of one decision, so that it is carried out within the function's timeout. */
export const mostPayouts = 300;

type ResolvePayment = {
  readonly kind: 'resolve_payment';
  readonly paymentId: string;
  readonly phase: PaymentPhase;
  readonly outcome: HandOutcome;
  readonly amountMinor: bigint | undefined;
  readonly evidence: string;
};
type ResolvePayout = {
  readonly kind: 'resolve_payout';
  readonly payoutId: string;
  readonly revision: number;
  readonly outcome: ErrorOutcome;
  readonly evidence: string;
};
type ReturnPayout = {
  readonly kind: 'return_payout';
  readonly payoutId: string;
  readonly revision: number;
  readonly evidence: string;
};
/** Moves no money, only the time of the next check, so a repetition is harmless. */
type AskAboutPayment = { readonly kind: 'ask_about_payment'; readonly paymentId: string };
/** Moves no money. The state is the one that was shown. */
type CloseUnknownPayment = {
  readonly kind: 'close_unknown_payment';
  readonly provider: string;
  readonly reference: string;
  readonly state: UnknownPayment['state'];
  readonly reason: string;
};
/** Moves no money. */
type CloseReceipt = {
  readonly kind: 'close_receipt';
  readonly paymentId: string;
  /** The refund of a paid payment that the receipt is of. */
  readonly refundId: string | undefined;
  readonly of: ReceiptSubject;
  readonly reason: string;
};
type ApprovePayouts = {
  readonly kind: 'approve_payouts';
  readonly payouts: readonly ShownPayout[];
  readonly reason: string | undefined;
};
type DeclinePayouts = {
  readonly kind: 'decline_payouts';
  readonly payouts: readonly ShownPayout[];
  readonly reason: string;
};
type ProposeAdjustment = {
  readonly kind: 'propose_adjustment';
  readonly merchantId: string;
  readonly direction: Direction;
  readonly amount: Money<BalanceCurrency>;
  readonly reason: string;
  readonly about: string | undefined;
};

type EnterChargeback = {
  readonly kind: 'enter_chargeback';
  readonly paymentId: string;
  readonly direction: ChargebackDirection;
  readonly amountMinor: bigint;
  readonly reason: string;
};
type ConfirmChargeback = {
  readonly kind: 'confirm_chargeback';
  readonly chargebackId: string;
  /** Who bears a loss; without effect on a surplus. */
  readonly bearer: Bearer;
  readonly reason: string;
};
type DismissChargeback = {
  readonly kind: 'dismiss_chargeback';
  readonly chargebackId: string;
  readonly reason: string;
};
type CreateRefund = {
  readonly kind: 'create_refund';
  readonly paymentId: string;
  /** In the payment's currency; of a refund of everything, what was refundable when it was shown. */
  readonly amountMinor: bigint;
  readonly reason: string;
};
type WriteOffClaim = { readonly kind: 'write_off_claim'; readonly claimId: string; readonly reason: string };

/** The decisions that become a proposal when they need a second person. */
export type Proposable =
  | ResolvePayment
  | ResolvePayout
  | ReturnPayout
  | ApprovePayouts
  | ConfirmChargeback
  | DismissChargeback
  | WriteOffClaim;

/**
 * A person's decision about a payment, payout, adjustment, chargeback or claim. It is bound to what was shown: a phase or
 * revision, or an adjustment, chargeback or proposal, whose content never changes. What is owed on a claim only falls.
 */
export type Decision =
  | Proposable
  | AskAboutPayment
  | CloseUnknownPayment
  | CloseReceipt
  | DeclinePayouts
  | ProposeAdjustment
  | EnterChargeback
  | CreateRefund
  | { readonly kind: 'collect_claim'; readonly claimId: string }
  | { readonly kind: 'approve_adjustment'; readonly adjustmentId: string }
  | { readonly kind: 'reject_adjustment'; readonly adjustmentId: string; readonly reason: string }
  | { readonly kind: 'approve_proposal'; readonly proposalId: string }
  | { readonly kind: 'reject_proposal'; readonly proposalId: string; readonly reason: string };

export type DecisionKind = Decision['kind'];

/** The roles that may make each decision. An operator may reject only their own, which withdraws it. */
export const decidedBy: Readonly<Record<DecisionKind, readonly Role[]>> = {
  resolve_payment: ['operator'],
  resolve_payout: ['operator'],
  return_payout: ['operator'],
  ask_about_payment: ['operator'],
  close_unknown_payment: ['operator'],
  close_receipt: ['operator'],
  approve_payouts: ['operator'],
  decline_payouts: ['operator'],
  propose_adjustment: ['operator'],
  enter_chargeback: ['operator'],
  create_refund: ['operator'],
  confirm_chargeback: ['operator'],
  dismiss_chargeback: ['operator'],
  collect_claim: ['operator'],
  write_off_claim: ['operator'],
  approve_adjustment: ['approver'],
  reject_adjustment: ['operator', 'approver'],
  approve_proposal: ['approver'],
  reject_proposal: ['operator', 'approver'],
};

/** The key of a decision: in its author's partition, which IAM lets nobody else write. */
export type DecisionKey = { readonly role: Role; readonly by: string; readonly id: string };

/** A decision and the time by its author's clock; early ones have no time. */
export type MadeDecision = { readonly decision: Decision; readonly at: Date | undefined };

/** A decision is written once, by its author, and never changed. */
export interface Decisions {
  write(key: DecisionKey, decision: Decision): Promise<void>;
  /** A strongly consistent read. */
  find(key: DecisionKey): Promise<MadeDecision | undefined>;
}

export const decisionIdLength = 16;

/** Whether the text has the format of a decision id. Ids of payouts and payments are longer. Safe to print in a terminal. */
export const isDecisionId = (text: string): boolean => /^[0-9A-Za-z]{16}$/.test(text);

const carriedOutWithinMs = 3600_000;

/**
 * Whether the decision is too old to be carried out, or dated in the future. The caller may name any person's decision, and
 * one that was refused long ago must not take effect unexpectedly.
 */
export const isExpired = ({ at }: Pick<MadeDecision, 'at'>, now: Date): boolean =>
  at === undefined || Math.abs(now.getTime() - at.getTime()) > carriedOutWithinMs;
