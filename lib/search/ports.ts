import type { Bill } from '../bill/bill.ts';
import type { MerchantId } from '../ids.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Payment } from '../payment/payment.ts';
import type { Payout } from '../payout/payout.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Listing } from './listing.ts';

/** Whose items are listed, in how many shards. */
export type Owner = { readonly merchantId: MerchantId; readonly shards: number };

/** What is listed by creation time. */
export interface Listings {
  bills(of: Owner): Listing<Bill>;
  payments(of: Owner): Listing<Payment>;
  payouts(of: Owner): Listing<Payout>;
  events(of: Owner): Listing<PostbackEvent>;
  merchants(): Listing<Merchant>;
}
