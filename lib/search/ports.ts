import type { Bill } from '../bill/bill.ts';
import type { BillId, MerchantId, PaymentId } from '../ids.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Payment } from '../payment/payment.ts';
import type { Payout } from '../payout/payout.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Refund } from '../refund/refund.ts';
import type { Listing } from './listing.ts';

/** What is listed by creation time. */
export const listedKinds = ['bill', 'payment', 'payout', 'refund', 'event', 'merchant'] as const;
export type ListedKind = (typeof listedKinds)[number];

/** Whose items are listed, in how many shards; undefined: one. */
export type Owner = { readonly merchantId: MerchantId; readonly shards: number | undefined };

export type OrderOf = { readonly merchantId: MerchantId; readonly orderId: string };

/** What is listed by creation time. */
export interface Listings {
  bills(of: Owner): Listing<Bill>;
  payments(of: Owner): Listing<Payment>;
  payouts(of: Owner): Listing<Payout>;
  refunds(of: Owner): Listing<Refund>;
  events(of: Owner): Listing<PostbackEvent>;
  merchants(): Listing<Merchant>;
}

/** What is found by a key. Undefined: more than one call reads, so the list of the merchant is to be searched. */
export interface KeyedListings {
  billsOfOrder(order: OrderOf): Promise<Listing<Bill> | undefined>;
  paymentsOfOrder(order: OrderOf): Promise<Listing<Payment> | undefined>;
  paymentsOfBill(billId: BillId): Promise<Listing<Payment> | undefined>;
  payoutsOfOrder(order: OrderOf): Promise<Listing<Payout>>;
  refundsOf(of: {
    readonly billId: BillId;
    readonly paymentId: PaymentId | undefined;
  }): Promise<Listing<Refund> | undefined>;
}

/** Whether the lists of a merchant have everything. */
export interface ListHistory {
  /** What was created before this time may be missing from the merchant's lists; undefined: nothing is. */
  incompleteBefore(merchantId: MerchantId, now: Date): Promise<Date | undefined>;
  /** The same of the lists of all merchants, and of the list of merchants; before a migration `now`: it is not known. */
  incompleteForAll(now: Date): Promise<Date | undefined>;
}
