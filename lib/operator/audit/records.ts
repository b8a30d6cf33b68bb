import type { Bill } from '../../bill/bill.ts';
import type { MerchantId } from '../../ids.ts';
import type { Adjustment } from '../../ledger/adjustment.ts';
import type { Balance } from '../../ledger/balance.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { Merchant } from '../../merchant/merchant.ts';
import type { Shop } from '../../merchant/shop.ts';
import type { Payment } from '../../payment/payment.ts';
import type { Payout } from '../../payout/payout.ts';
import type { PostbackEvent } from '../../postback/event.ts';

/** Something that a work list should hold until it is done; `listed` says whether one does. */
type Listed = { readonly listed: boolean };

/** One item of the table, as far as the audit cares. */
export type AuditRecord =
  | { readonly kind: 'merchant'; readonly merchant: Merchant }
  | { readonly kind: 'shop'; readonly shop: Shop }
  | { readonly kind: 'balance'; readonly merchantId: MerchantId; readonly balance: Balance }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'bill'; readonly bill: Bill }
  | ({ readonly kind: 'payment'; readonly payment: Payment } & Listed)
  | ({ readonly kind: 'payout'; readonly payout: Payout } & Listed)
  | ({ readonly kind: 'adjustment'; readonly adjustment: Adjustment } & Listed)
  | ({ readonly kind: 'event'; readonly event: PostbackEvent } & Listed)
  | { readonly kind: 'unreadable'; readonly key: string; readonly why: string };

/** Where the audit's records come from: every item of the table, in any order, read strongly. */
export interface AuditSource {
  records(): AsyncIterable<AuditRecord>;
}

/** One way in which the books do not agree (lib/ledger/README.md). */
export type Difference = {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I11' | 'I12' | 'items';
  /** What it is about; the same difference seen twice is about the same thing. */
  readonly about: string;
  readonly text: string;
};
