import type { MerchantId } from '../ids.ts';
import type { BillCurrency } from '../money/money.ts';

/** A merchant's accounts are balance fields; the platform's are only summed from the journal, so no hot item arises. */
export const merchantAccounts = ['available', 'locked', 'held', 'reserved'] as const;
export const platformAccounts = [
  'acquirer',
  'fees',
  'provider_fees',
  'refunds_due',
  'clearing',
  'exchange',
  'correction',
  'claims',
] as const;
export type MerchantAccount = (typeof merchantAccounts)[number];
export type Account = MerchantAccount | (typeof platformAccounts)[number];

export const entryKinds = [
  'CAPTURE',
  'DUPLICATE_CAPTURE',
  'REFUND',
  'REFUND_RESERVE',
  'REFUND_SETTLE',
  'REFUND_RELEASE',
  'RESERVE_RELEASE',
  'PROVIDER_FEE',
  'RESERVE',
  'SETTLE',
  'RELEASE',
  'RETURN',
  'ADJUST',
  'CHARGEBACK',
  'SURPLUS',
  'COLLECT',
  'WRITE_OFF',
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
  /** `authorizedKinds` only: one payment or payout may have several, and each names who moved the money and why. */
  readonly adjustment: Authorization | undefined;
};

/** Returns what identifies an entry: `<about> CAPTURE`, or with the authorization `<about> ADJUST#<id>`. */
export const entryId = ({ about, kind, adjustment }: Pick<Entry, 'about' | 'kind' | 'adjustment'>): string =>
  `${about} ${kind}${adjustment ? `#${adjustment.id}` : ''}`;

/** The kinds that people cause: their entries carry an authorization, whose id is part of their key. */
export const authorizedKinds = [
  'ADJUST',
  'CHARGEBACK',
  'SURPLUS',
  'COLLECT',
  'WRITE_OFF',
] as const satisfies readonly EntryKind[];

/** The adjustment, chargeback or claim behind an entry, as decided. Copied here because journal entries are immutable. */
export type Authorization = {
  /** Of the adjustment or chargeback; of a claim with the number of its move. */
  readonly id: string;
  readonly reason: string;
  readonly proposedBy: string;
  /** The second person; undefined where a claim was collected, which takes one. */
  readonly approvedBy: string | undefined;
};
