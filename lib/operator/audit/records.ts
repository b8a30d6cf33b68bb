import type { Bill } from '../../bill/bill.ts';
import type { BillReference } from '../../bill/reference.ts';
import type { DecisionKey, MadeDecision } from '../../decision/decision.ts';
import type { Proposal } from '../../decision/proposal.ts';
import type { MerchantId, ShopId } from '../../ids.ts';
import type { Adjustment } from '../../ledger/adjustment.ts';
import type { Balance } from '../../ledger/balance.ts';
import type { Chargeback } from '../../ledger/chargeback.ts';
import type { Claim } from '../../ledger/claim.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { Caller, Merchant } from '../../merchant/merchant.ts';
import type { Shop } from '../../merchant/shop.ts';
import type { Payment } from '../../payment/payment.ts';
import type { KnownAccount, PayoutAccount, PayoutNumber } from '../../payout/account.ts';
import type { LimitUsage } from '../../payout/limits.ts';
import type { PayoutClaim, PayoutGroup } from '../../payout/payout-group.ts';
import type { Payout } from '../../payout/payout.ts';
import type { Refund } from '../../refund/refund.ts';
import type { PostbackEvent } from '../../postback/event.ts';

/** One item of the table that the audit checks. */
export type AuditRecord =
  | { readonly kind: 'merchant'; readonly merchant: Merchant }
  | { readonly kind: 'shop'; readonly shop: Shop }
  | {
      readonly kind: 'balance';
      readonly merchantId: MerchantId;
      readonly balance: Balance;
      /** What its payouts have used of its limits. */
      readonly usage: LimitUsage;
    }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'bill'; readonly bill: Bill }
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'payout'; readonly payout: Payout }
  | { readonly kind: 'token'; readonly tokenHash: string; readonly caller: Caller }
  | { readonly kind: 'shop_reference'; readonly merchantId: MerchantId; readonly shopId: ShopId }
  | { readonly kind: 'payout_account'; readonly account: PayoutAccount }
  | { readonly kind: 'payout_number'; readonly number: PayoutNumber }
  | { readonly kind: 'known_account'; readonly known: KnownAccount }
  | { readonly kind: 'bill_reference'; readonly reference: BillReference }
  | { readonly kind: 'payout_claim'; readonly claim: PayoutClaim }
  | { readonly kind: 'group'; readonly group: PayoutGroup }
  | { readonly kind: 'decision'; readonly key: DecisionKey; readonly made: MadeDecision }
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'adjustment'; readonly adjustment: Adjustment }
  | { readonly kind: 'chargeback'; readonly chargeback: Chargeback }
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'event'; readonly event: PostbackEvent }
  | Flaw;

/**
 * What is wrong with an item itself, whatever it contains: it cannot be read, or a reader does not find it where its content belongs,
 * which may be wrong only until a time.
 */
export type Flaw =
  | { readonly kind: 'unreadable'; readonly key: string; readonly why: string }
  | ({ readonly kind: 'misfiled'; readonly until: Date | undefined } & Difference);

/** The invariants that the audit checks (lib/ledger/README.md). Their names are what the `audit` command prints. */
export const invariants = [
  'entry_balances',
  'balance_matches_journal',
  'balance_not_negative',
  'reserves_match_payouts',
  'captures_match_payments',
  'payments_match_states',
  'payments_match_bills',
  'bills_match_payments',
  'bills_match_shops',
  'provider_fees_match_payments',
  'events_match_states',
  'work_lists_complete',
  'keys_match_content',
  'adjustments_match_entries',
  'chargebacks_match_entries',
  'claims_match_entries',
  'refunds_match_entries',
  'refunds_match_payments',
  'reserve_matches_payments',
  'acquirer_matches_reconciliation',
  'clearing_matches_reconciliation',
  'payout_limits',
  'payout_groups_match',
  'payouts_match_decisions',
  'decisions_were_made',
  'accounts_match_numbers',
  'tokens_match_merchants',
  'shops_match_merchants',
  'references_match',
  'seals_match_journal',
  'seals_chained',
] as const;
export type Invariant = (typeof invariants)[number];

/** A violated invariant, or an item that cannot be read. */
export type Difference = {
  readonly invariant: Invariant | 'items';
  /** The subject, as `payment 01J…`. */
  readonly about: string;
  readonly text: string;
};
