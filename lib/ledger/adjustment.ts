import { Defect } from '../defect.ts';
import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { Result } from '../result.ts';
import type { Entry } from './entry.ts';
import { isSamePerson } from './same-person.ts';

export const adjustmentStatuses = ['PROPOSED', 'APPROVED', 'REJECTED'] as const;
type AdjustmentStatus = (typeof adjustmentStatuses)[number];

/** The moves of an adjustment. Money moves with APPROVED only. */
const adjustmentMoves: Readonly<Record<AdjustmentStatus, readonly AdjustmentStatus[]>> = {
  PROPOSED: ['APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
};

/** Whether nobody has to decide on it any more. */
export const isFinalAdjustment = ({ status }: Pick<Adjustment, 'status'>): boolean =>
  adjustmentMoves[status].length === 0;

/** What the merchant's available balance gains or loses. */
export const directions = ['credit', 'debit'] as const;
export type Direction = (typeof directions)[number];

/** A correction of a merchant's balance by hand, which one person proposes and another approves. */
export type Adjustment = {
  readonly id: string;
  readonly merchantId: MerchantId;
  readonly direction: Direction;
  /** Above zero. */
  readonly amount: Money<BalanceCurrency>;
  readonly reason: string;
  /** The merchant's payment or payout that made it necessary. */
  readonly about: string | undefined;
  readonly status: AdjustmentStatus;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  /** With a reason when it was rejected. */
  readonly decision: AdjustmentDecision | undefined;
};

export type AdjustmentDecision = {
  /** Carried out once more, it is known again. */
  readonly id: string | undefined;
  readonly by: string;
  readonly at: Date;
  readonly reason: string | undefined;
};

/** An adjustment holds still until it is decided, so every decision is about what was proposed. */
export interface Adjustments {
  /** Refused when there is one with this id. */
  create(adjustment: Adjustment): Promise<Result<void, 'adjustment_exists'>>;
  find(id: string): Promise<Adjustment | undefined>;
  /** State, balance and journal at once; only while it is PROPOSED, and a debit only out of what is available. */
  approve(
    after: Adjustment,
    entry: Entry,
  ): Promise<Result<void, 'adjustment_already_decided' | 'balance_not_enough'>>;
  reject(after: Adjustment): Promise<Result<void, 'adjustment_already_decided'>>;
  /** Those that wait for a second person, the oldest first. */
  listProposed(): Promise<readonly Adjustment[]>;
}

/** Approved by another person than proposed it; throws on a move that there is not. */
export function approved(adjustment: Adjustment, decision: AdjustmentDecision): Adjustment {
  if (isSamePerson(adjustment.proposedBy, decision.by))
    throw new Defect('ADJUSTMENT_SELF_APPROVED', 'Nobody approves what they proposed themselves');
  return decided(adjustment, 'APPROVED', decision);
}

/** Rejected, or withdrawn by who proposed it: no money moves. */
export const rejected = (
  adjustment: Adjustment,
  decision: AdjustmentDecision & { readonly reason: string },
): Adjustment => decided(adjustment, 'REJECTED', decision);

function decided(adjustment: Adjustment, status: AdjustmentStatus, decision: AdjustmentDecision): Adjustment {
  if (!adjustmentMoves[adjustment.status].includes(status))
    throw new Defect(
      'ADJUSTMENT_MOVE_IMPOSSIBLE',
      `An adjustment does not go from ${adjustment.status} to ${status}`,
    );
  return { ...adjustment, status, decision };
}

/** What the available balance gains, below zero for a debit. */
export const gainMinor = ({ direction, amount }: Pick<Adjustment, 'direction' | 'amount'>): bigint =>
  direction === 'credit' ? amount.minor : -amount.minor;

/** ADJUST: between the merchant's available balance and `correction` (lib/ledger/README.md). */
export function adjustmentEntry(adjustment: Adjustment): Entry {
  const { id, merchantId, reason, proposedBy, decision, amount } = adjustment;
  if (adjustment.status !== 'APPROVED' || !decision)
    throw new Defect('ADJUSTMENT_NOT_APPROVED', 'Only an approved adjustment is posted');
  const gain = gainMinor(adjustment);
  return {
    about: adjustment.about ?? id,
    kind: 'ADJUST',
    merchantId,
    lines: [
      { account: 'available', currency: amount.currency, minor: gain },
      { account: 'correction', currency: amount.currency, minor: -gain },
    ],
    at: decision.at,
    adjustment: { id, reason, proposedBy, approvedBy: decision.by },
  };
}
