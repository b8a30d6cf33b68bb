import type { BillStatus } from '../bill/bill.ts';
import { readBillId } from '../ids.ts';
import { whyRefused } from '../merchant/merchant.ts';
import type { PaymentMethod } from '../payment/acquirer.ts';
import type { Payment } from '../payment/payment.ts';
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
  readonly shopId: string | undefined;
  readonly billId: string | undefined;
  readonly orderId: string | undefined;
  readonly status: BillStatus | undefined;
  readonly method: PaymentMethod | undefined;
};

export type SearchPaymentsRefusal = 'merchant_banned' | SearchRefusal;

/** Searches the caller's payments. */
export async function searchPayments(
  ports: SearchPorts,
  query: SearchQuery,
  filters: Filters,
): Promise<Result<Found<Payment>, SearchPaymentsRefusal>> {
  const { merchantId, shards } = query.caller;
  const refusal = whyRefused(query.caller, ['merchant_banned']);
  if (refusal) return fail(refusal);
  const { shopId, billId, orderId, status, method } = filters;
  return search<Payment>(ports, query, {
    kind: 'payment',
    filters,
    keyed: keyedBy(ports, merchantId, filters),
    isComplete: billId !== undefined,
    list: ports.listings.payments({ merchantId, shards }),
    matches: matching<Payment>([
      // A bill's payments are found by its id, whoever's bill it is.
      [billId, (payment) => payment.billId === billId && payment.merchantId === merchantId],
      [shopId, (payment) => payment.shopId === shopId],
      [orderId, (payment) => payment.orderId === orderId],
      [status, (payment) => payment.status === status],
      [method, (payment) => payment.method === method],
    ]),
  });
}

function keyedBy(
  { keyedListings }: SearchPorts,
  merchantId: Payment['merchantId'],
  { billId, orderId }: Filters,
) {
  if (billId !== undefined) {
    const id = readBillId(billId);
    return async () => (id === undefined ? listingOf<Payment>([]) : keyedListings.paymentsOfBill(id));
  }
  return orderId === undefined ? undefined : () => keyedListings.paymentsOfOrder({ merchantId, orderId });
}
