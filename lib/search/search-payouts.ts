import { whyRefused } from '../merchant/merchant.ts';
import type { AccountType } from '../payout/destination.ts';
import type { GetPayoutRefusal } from '../payout/get-payout.ts';
import type { Payout } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/states.ts';
import { fail, type Result } from '../result.ts';
import {
  type Found,
  matching,
  search,
  type SearchPorts,
  type SearchQuery,
  type SearchRefusal,
} from './search.ts';

type Filters = {
  readonly orderId: string | undefined;
  readonly status: PayoutStatus | undefined;
  readonly accountType: AccountType | undefined;
};

export type SearchPayoutsRefusal = Exclude<GetPayoutRefusal, 'payout_not_found'> | SearchRefusal;

/** Searches the caller's payouts, each part of a split one by itself. */
export async function searchPayouts(
  ports: SearchPorts,
  query: SearchQuery,
  filters: Filters,
): Promise<Result<Found<Payout>, SearchPayoutsRefusal>> {
  const { merchantId, shards } = query.caller;
  const refusal = whyRefused(query.caller, [
    'merchant_not_found',
    'merchant_banned',
    'merchant_subscription_inactive',
    'merchant_subscription_not_found',
  ]);
  if (refusal) return fail(refusal);
  const { orderId, status, accountType } = filters;
  return search<Payout>(ports, query, {
    kind: 'payout',
    filters,
    keyed:
      orderId === undefined ? undefined : () => ports.keyedListings.payoutsOfOrder({ merchantId, orderId }),
    isComplete: true,
    list: ports.listings.payouts({ merchantId, shards }),
    matches: matching<Payout>([
      [orderId, (payout) => payout.orderId === orderId],
      [status, (payout) => payout.status === status],
      [accountType, (payout) => payout.accountType === accountType],
    ]),
  });
}
