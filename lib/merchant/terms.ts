import type { FeeSchedule } from '../money/fee.ts';
import type { BillCurrency } from '../money/money.ts';

/** Who pays a payout's fee: on top of the amount (`sender`) or out of it (`recipient`). Contract 6.2. */
export const commissionPayers = ['sender', 'recipient'] as const;
export type CommissionPayer = (typeof commissionPayers)[number];

/** What the operator agreed with a merchant for one currency. Amounts in that currency's minor units. */
export type Terms = {
  readonly currency: BillCurrency;
  readonly paymentFee: FeeSchedule;
  readonly payoutFee: FeeSchedule;
  readonly payoutMinMinor: bigint;
  readonly payoutMaxMinor: bigint;
  readonly dayLimitMinor: bigint;
  readonly monthLimitMinor: bigint;
  readonly commissionPayer: CommissionPayer;
  /** Payouts up to this amount need no moderator, as long as they are together within the day's total. 0: each one does. */
  readonly autoApproveUpToMinor: bigint;
  readonly autoApproveDayTotalMinor: bigint;
  /** The same for payouts to an account to which a payout was paid that a person had approved. */
  readonly autoApproveKnownUpToMinor: bigint;
  readonly autoApproveKnownDayTotalMinor: bigint;
  /** An order of payouts above this sum is let go by two people, and by no rule. 0: one person is enough. */
  readonly secondPersonAboveMinor: bigint;
};

/** What the operator set for one merchant; the environment's defaults fill the rest. */
export type TermsOverrides = Partial<Omit<Terms, 'currency'>>;
