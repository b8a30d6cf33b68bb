import type { FeeSchedule } from '../money/fee.ts';
import type { BillCurrency } from '../money/money.ts';

/** Who pays a payout's fee: on top of the amount (`sender`) or deducted from it (`recipient`). Contract 6.2. */
export const commissionPayers = ['sender', 'recipient'] as const;
export type CommissionPayer = (typeof commissionPayers)[number];

/** What becomes of a payment's fee when it is refunded: the platform keeps it, or returns it in proportion. */
export const refundFees = ['kept', 'returned'] as const;
export type RefundFee = (typeof refundFees)[number];

/** The terms that the operator agreed with a merchant for one currency. Amounts are in its minor units. */
export type Terms = {
  readonly currency: BillCurrency;
  readonly paymentFee: FeeSchedule;
  readonly refundFee: RefundFee;
  readonly payoutFee: FeeSchedule;
  readonly payoutMinMinor: bigint;
  readonly payoutMaxMinor: bigint;
  readonly dayLimitMinor: bigint;
  readonly monthLimitMinor: bigint;
  readonly commissionPayer: CommissionPayer;
  /** Payouts up to this amount need no moderator while their sum stays within the day's total. 0: all need one. */
  readonly autoApproveUpToMinor: bigint;
  readonly autoApproveDayTotalMinor: bigint;
  /** The same, for payouts to an account that was already paid a payout approved by a person. */
  readonly autoApproveKnownUpToMinor: bigint;
  readonly autoApproveKnownDayTotalMinor: bigint;
  /** A payout order above this sum is approved by two people and never automatically. 0: one person is enough. */
  readonly secondPersonAboveMinor: bigint;
  /** The rolling reserve: the share of each payment's net amount, in basis points, that becomes available after `reserveDays`. 0: none. */
  readonly reserveBasisPoints: number;
  /** 1 to 365 where there is a reserve. */
  readonly reserveDays: number;
};

/** The terms that the operator set for one merchant; the environment's defaults apply to the rest. */
export type TermsOverrides = Partial<Omit<Terms, 'currency'>>;
