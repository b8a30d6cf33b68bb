import { billIdOf, readBillId, readPaymentId } from '../ids.ts';
import { whyRefused } from '../merchant/merchant.ts';
import type { Refund } from '../refund/refund.ts';
import { fail, type Result } from '../result.ts';
import { listingOf } from './listing.ts';
import {
  type Found,
  matching,
  search,
  type SearchPorts,
  type SearchQuery,
  type SearchRefusal,
} from './search.ts';

type Filters = {
  readonly paymentId: string | undefined;
  readonly billId: string | undefined;
  readonly status: Refund['status'] | undefined;
};

export type SearchRefundsRefusal = 'merchant_banned' | SearchRefusal;

/** Searches the caller's refunds. */
export async function searchRefunds(
  ports: SearchPorts,
  query: SearchQuery,
  filters: Filters,
): Promise<Result<Found<Refund>, SearchRefundsRefusal>> {
  const { merchantId, shards } = query.caller;
  const refusal = whyRefused(query.caller, ['merchant_banned']);
  if (refusal) return fail(refusal);
  const { paymentId, billId, status } = filters;
  const isKeyed = paymentId !== undefined || billId !== undefined;
  return search<Refund>(ports, query, {
    kind: 'refund',
    filters,
    keyed: isKeyed ? () => refundsOf(ports, filters) : undefined,
    isComplete: true,
    list: ports.listings.refunds({ merchantId, shards }),
    matches: matching<Refund>([
      // A payment's refunds are found by its id, whoever's payment it is.
      [paymentId ?? billId, (refund) => refund.merchantId === merchantId],
      [paymentId, (refund) => refund.paymentId === paymentId],
      [billId, (refund) => refund.billId === billId],
      [status, (refund) => refund.status === status],
    ]),
  });
}

async function refundsOf({ keyedListings }: SearchPorts, { paymentId, billId }: Filters) {
  const payment = readPaymentId(paymentId);
  const bill = payment === undefined ? readBillId(billId) : billIdOf(payment);
  if (bill === undefined || payment !== paymentId) return listingOf<Refund>([]);
  return keyedListings.refundsOf({ billId: bill, paymentId: payment });
}
