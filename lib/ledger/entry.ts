import type { MerchantId } from '../ids.ts';
import type { BillCurrency } from '../money/money.ts';

/** A merchant's accounts are balance fields; the platform's are only summed from the journal, so no hot item arises. */
export const merchantAccounts = ['available', 'locked', 'held'] as const;
export const platformAccounts = [
  'acquirer',
  'fees',
  'refunds_due',
  'clearing',
  'exchange',
  'correction',
] as const;
export type MerchantAccount = (typeof merchantAccounts)[number];
export type Account = MerchantAccount | (typeof platformAccounts)[number];

export const entryKinds = [
  'CAPTURE',
  'DUPLICATE_CAPTURE',
  'REFUND',
  'RESERVE',
  'SETTLE',
  'RELEASE',
  'RETURN',
  'ADJUST',
] as const;
export type EntryKind = (typeof entryKinds)[number];

export type Line = { readonly account: Account; readonly currency: BillCurrency; readonly minor: bigint };

/** A journal entry: its lines sum to zero in each currency, and `about` + `kind` (+ `adjustment`) are unique. */
export type Entry = {
  readonly about: string;
  readonly kind: EntryKind;
  readonly merchantId: MerchantId;
  readonly lines: readonly Line[];
  readonly at: Date;
  /** ADJUST only: one payment or payout may have several, and each names who moved the money and why. */
  readonly adjustment: Authorization | undefined;
};

/** The adjustment behind an entry, as approved. Copied here because journal entries are immutable. */
export type Authorization = {
  readonly id: string;
  readonly reason: string;
  readonly proposedBy: string;
  readonly approvedBy: string;
};
