import type { Direction } from '../ledger/adjustment.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { HandOutcome, PaymentPhase } from '../payment/payment.ts';
import type { ErrorOutcome } from '../payout/resolve-error.ts';

/** Operators start things, approvers say yes to what takes two people. Nobody is both. */
export const roles = ['operator', 'approver'] as const;
export type Role = (typeof roles)[number];

/** A payout as it was shown: a decision about another revision is refused. */
export type ShownPayout = { readonly id: string; readonly revision: number };

/** More payouts than these are decided in several decisions, so that each is carried out within the function's time. */
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
/** Moves no money, only the time of the next check: asking once more does no harm. */
type AskAboutPayment = { readonly kind: 'ask_about_payment'; readonly paymentId: string };
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

/** What becomes a proposal when it turns out to take two people. */
export type Proposable = ResolvePayment | ResolvePayout | ReturnPayout | ApprovePayouts;

/**
 * Everything that people decide about money on its way, and what each decision is bound to: the phase or revision that was shown,
 * or an adjustment or proposal, which never changes.
 */
export type Decision =
  | Proposable
  | AskAboutPayment
  | DeclinePayouts
  | ProposeAdjustment
  | { readonly kind: 'approve_adjustment'; readonly adjustmentId: string }
  | { readonly kind: 'reject_adjustment'; readonly adjustmentId: string; readonly reason: string }
  | { readonly kind: 'approve_proposal'; readonly proposalId: string }
  | { readonly kind: 'reject_proposal'; readonly proposalId: string; readonly reason: string };

export type DecisionKind = Decision['kind'];

/** Who may make it. An operator rejects only what is their own: that is a withdrawal. */
export const decidedBy: Readonly<Record<DecisionKind, readonly Role[]>> = {
  resolve_payment: ['operator'],
  resolve_payout: ['operator'],
  return_payout: ['operator'],
  ask_about_payment: ['operator'],
  approve_payouts: ['operator'],
  decline_payouts: ['operator'],
  propose_adjustment: ['operator'],
  approve_adjustment: ['approver'],
  reject_adjustment: ['operator', 'approver'],
  approve_proposal: ['approver'],
  reject_proposal: ['operator', 'approver'],
};

/** Where a decision lies: under its maker's own key, which IAM lets nobody else write. */
export type DecisionKey = { readonly role: Role; readonly by: string; readonly id: string };

/** What was decided, and when by the clock of who did; older ones do not say. */
export type MadeDecision = { readonly decision: Decision; readonly at: Date | undefined };

/** Decisions are written once by who makes them, and never changed. */
export interface Decisions {
  write(key: DecisionKey, decision: Decision): Promise<void>;
  /** Read strongly. */
  find(key: DecisionKey): Promise<MadeDecision | undefined>;
}

export const decisionIdLength = 16;

/** Whether it is the id of a decision: those of payouts and payments are longer, and it is shown in terminals. */
export const isDecisionId = (text: string): boolean => /^[0-9A-Za-z]{16}$/.test(text);

const carriedOutWithinMs = 3600_000;

/**
 * Whether it is too old to be carried out, or has a time to come. Who may have decisions carried out may name anybody's:
 * what was refused long ago must not happen when nobody expects it any more.
 */
export const isExpired = ({ at }: Pick<MadeDecision, 'at'>, now: Date): boolean =>
  at === undefined || Math.abs(now.getTime() - at.getTime()) > carriedOutWithinMs;
