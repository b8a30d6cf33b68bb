import { type Bill, billAsShown, type BillStatus, type BillType } from '../bill/bill.ts';
import type { Contacts } from '../bill/ports.ts';
import { whyRefused } from '../merchant/merchant.ts';
import type { FoundBill } from '../payment/get-bill.ts';
import { fail, ok, type Result } from '../result.ts';
import {
  type Found,
  matching,
  search,
  type SearchPorts,
  type SearchQuery,
  type SearchRefusal,
} from './search.ts';

export type SearchBillsPorts = SearchPorts & { readonly contacts: Contacts };

type Filters = {
  readonly shopId: string | undefined;
  readonly orderId: string | undefined;
  /** As shown: an expired bill that was never paid is FAIL, and no expired bill is active. */
  readonly status: BillStatus | undefined;
  readonly type: BillType | undefined;
  readonly active: boolean | undefined;
};

export type SearchBillsRefusal = 'merchant_banned' | SearchRefusal;

/** Searches the caller's bills. */
export async function searchBills(
  ports: SearchBillsPorts,
  query: SearchQuery,
  filters: Filters,
): Promise<Result<Found<FoundBill>, SearchBillsRefusal>> {
  const { merchantId, shards } = query.caller;
  const refusal = whyRefused(query.caller, ['merchant_banned']);
  if (refusal) return fail(refusal);
  const { shopId, orderId, status, type, active } = filters;
  const now = ports.now();
  const found = await search<Bill>(ports, query, {
    kind: 'bill',
    filters,
    keyed:
      orderId === undefined ? undefined : () => ports.keyedListings.billsOfOrder({ merchantId, orderId }),
    isComplete: false,
    list: ports.listings.bills({ merchantId, shards }),
    matches: matching<Bill>([
      [shopId, (bill) => bill.shopId === shopId],
      [orderId, (bill) => bill.orderId === orderId],
      [status, (bill) => billAsShown(bill, now).status === status],
      [type, (bill) => bill.type === type],
      [active, (bill) => billAsShown(bill, now).active === active],
    ]),
  });
  if (!found.ok) return found;
  const contacts = await ports.contacts.findAll(
    found.value.items.filter(({ hasContact }) => hasContact).map(({ id }) => id),
  );
  const shown = (bill: Bill): FoundBill => ({
    bill: billAsShown(bill, now),
    contact: contacts.get(bill.id)?.masks,
  });
  return ok({ ...found.value, items: found.value.items.map(shown) });
}
