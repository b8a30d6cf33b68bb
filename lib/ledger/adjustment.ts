import { Defect } from '../defect.ts';
import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { Result } from '../result.ts';
import type { Entry } from './entry.ts';
import type { Recomputation } from './recomputation.ts';
import { isSamePerson } from './same-person.ts';

export const adjustmentStatuses = ['PROPOSED', 'APPROVED', 'REJECTED'] as const;
type AdjustmentStatus = (typeof adjustmentStatuses)[number];

/** The transitions of an adjustment. Only APPROVED moves money. */
const adjustmentMoves: Readonly<Record<AdjustmentStatus, readonly AdjustmentStatus[]>> = {
  PROPOSED: ['APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
};

/** Whether the adjustment is decided. */
export const isFinalAdjustment = ({ status }: Pick<Adjustment, 'status'>): boolean =>
  adjustmentMoves[status].length === 0;

/** Whether the merchant's available balance grows (credit) or shrinks (debit). */
export const directions = ['credit', 'debit'] as const;
export type Direction = (typeof directions)[number];

/** A manual correction of a merchant's balance: one person proposes it and another approves it. */
export type Adjustment = {
  readonly id: string;
  readonly merchantId: MerchantId;
  readonly direction: Direction;
  /** Above zero. */
  readonly amount: Money<BalanceCurrency>;
  readonly reason: string;
  /** The merchant's payment or payout that it corrects, if any. */
  readonly about: string | undefined;
  readonly status: AdjustmentStatus;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  /** Carries a reason when the adjustment was rejected. */
  readonly decision: AdjustmentDecision | undefined;
};

export type AdjustmentDecision = {
  /** Makes carrying out the decision idempotent: a repeated id is recognised. */
  readonly id: string | undefined;
  readonly by: string;
  readonly at: Date;
  readonly reason: string | undefined;
};

/** An adjustment does not change until it is decided, so every decision is about what was proposed. */
export interface Adjustments {
  /** Refused when an adjustment with this id exists. */
  create(adjustment: Adjustment): Promise<Result<void, 'adjustment_exists'>>;
  find(id: string): Promise<Adjustment | undefined>;
  /**
   * Writes state, balance and journal entry in one transaction, on condition that the adjustment is PROPOSED and that a
   * debit does not exceed the available balance.
   */
  approve(
    after: Adjustment,
    entry: Entry,
  ): Promise<Result<void, 'adjustment_already_decided' | 'balance_not_enough'>>;
  reject(after: Adjustment): Promise<Result<void, 'adjustment_already_decided'>>;
  /** The adjustments that wait for a second person, oldest first. */
  listProposed(): Promise<readonly Adjustment[]>;
}

/** Returns the adjustment as approved. Throws when the approver is the proposer or the adjustment is decided. */
export function approved(adjustment: Adjustment, decision: AdjustmentDecision): Adjustment {
  if (isSamePerson(adjustment.proposedBy, decision.by))
    throw new Defect('ADJUSTMENT_SELF_APPROVED', 'The proposer may not approve the adjustment');
  return decided(adjustment, 'APPROVED', decision);
}

/** Returns the adjustment as rejected or withdrawn; no money moves. Throws when the adjustment is decided. */
export const rejected = (
  adjustment: Adjustment,
  decision: AdjustmentDecision & { readonly reason: string },
): Adjustment => decided(adjustment, 'REJECTED', decision);

function decided(adjustment: Adjustment, status: AdjustmentStatus, decision: AdjustmentDecision): Adjustment {
  if (!adjustmentMoves[adjustment.status].includes(status))
    throw new Defect(
      'ADJUSTMENT_MOVE_IMPOSSIBLE',
      `An adjustment cannot move from ${adjustment.status} to ${status}`,
    );
  return { ...adjustment, status, decision };
}

/** Returns the change of the available balance in minor units, negative for a debit. */
export const gainMinor = ({ direction, amount }: Pick<Adjustment, 'direction' | 'amount'>): bigint =>
  direction === 'credit' ? amount.minor : -amount.minor;

/** Returns the ADJUST entry between the merchant's available balance and `correction` (lib/ledger/README.md). */
export function adjustmentEntry(adjustment: Adjustment): Entry {
  const { id, merchantId, reason, proposedBy, decision, amount } = adjustment;
  if (adjustment.status !== 'APPROVED' || !decision)
    throw new Defect('ADJUSTMENT_NOT_APPROVED', 'Only an approved adjustment may be posted');
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

export const adjustmentAgain: Recomputation<Adjustment> = (adjustment) =>
  adjustment.status === 'APPROVED' && adjustment.decision ? adjustmentEntry(adjustment) : undefined;
