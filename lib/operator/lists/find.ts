import type { Bill } from '../../bill/bill.ts';
import { parseDecimal } from '../../money/money.ts';
import { chargeMinor, type Payment } from '../../payment/payment.ts';
import { type Payout, sentMinor } from '../../payout/payout.ts';
import { inParallel } from '../../reconciliation/in-parallel.ts';
import type { Refund } from '../../refund/refund.ts';
import type { Cut, Listing, Window } from '../../search/listing.ts';
import type { KeyedListings, Listings, OrderOf, Owner } from '../../search/ports.ts';
import { unionOf } from '../../search/union.ts';
import { listPage } from './list.ts';

export type FindPorts = { readonly listings: Listings; readonly keyedListings: KeyedListings };

/** What a text may mean: always an order id, and an amount or the last four digits of an account where it has their form. */
type Sought = {
  readonly orderId: string;
  readonly minor: bigint | undefined;
  readonly lastFour: string | undefined;
};

export type FoundItem =
  | { readonly kind: 'bill'; readonly item: Bill }
  | { readonly kind: 'payment'; readonly item: Payment }
  | { readonly kind: 'payout'; readonly item: Payout }
  | { readonly kind: 'refund'; readonly item: Refund };
type Kind = FoundItem['kind'];

export type Finding = {
  readonly sought: Sought;
  /** Newest first. */
  readonly found: readonly FoundItem[];
  /** Lists that were not read to the end of the window, and the place that each was read to. */
  readonly unread: readonly { readonly kind: Kind; readonly from: Cut }[];
  /** Whether an order has more than is looked up by its key. */
  readonly isOrderCut: boolean;
};

const soughtIn = (text: string): Sought => ({
  orderId: text,
  minor: /^\d{1,13}(?:[.,]\d{1,2})?$/.test(text) ? parseDecimal(text.replace(',', '.'), 2) : undefined,
  lastFour: /^\d{4}$/.test(text) ? text : undefined,
});

/**
 * Finds bills, payments, payouts and refunds of these merchants by order id, whenever they were created, and by amount or last four
 * digits in the window: at most `limit` of a kind, of the ten thousand newest of each kind.
 */
export async function find(
  ports: FindPorts,
  text: string,
  {
    owners,
    window,
    limit,
  }: { readonly owners: readonly Owner[]; readonly window: Window; readonly limit: number },
): Promise<Finding> {
  const sought = soughtIn(text);
  const [ordered, scanned] = await Promise.all([
    ofOrders(ports, owners, sought.orderId),
    scan(ports, { owners, sought, window, limit }),
  ]);
  const found = new Map(
    [...ordered.found, ...scanned.found].map((one) => [`${one.kind} ${one.item.id}`, one]),
  );
  return {
    sought,
    found: [...found.values()].toSorted((one, other) => +other.item.createdAt - +one.item.createdAt),
    unread: scanned.unread,
    isOrderCut: ordered.isCut,
  };
}

const atOnce = 16;

async function ofOrders(ports: FindPorts, owners: readonly Owner[], orderId: string) {
  const found: FoundItem[] = [];
  let isCut = false;
  await inParallel(owners, atOnce, async ({ merchantId }) => {
    const one = await ofOrder(ports, { merchantId, orderId });
    found.push(...one.found);
    isCut ||= one.isCut;
  });
  return { found, isCut };
}

/** Returns what a merchant has under an order id. `isCut`: there is more than is looked up by a key. */
async function ofOrder(
  { keyedListings }: Pick<FindPorts, 'keyedListings'>,
  order: OrderOf,
): Promise<{ readonly found: readonly FoundItem[]; readonly isCut: boolean }> {
  const lists = await Promise.all([
    keyedListings.billsOfOrder(order),
    keyedListings.paymentsOfOrder(order),
    keyedListings.payoutsOfOrder(order),
  ]);
  const [bills, payments, payouts] = lists;
  const [ofBills, ofPayments, ofPayouts] = await Promise.all([
    everyOf(bills),
    everyOf(payments),
    everyOf(payouts),
  ]);
  const refunded = ofPayments.items.filter(({ refunds }) => refunds !== undefined);
  const refunds = await Promise.all(
    refunded.map(async ({ id, billId }) => everyOf(await keyedListings.refundsOf({ billId, paymentId: id }))),
  );
  return {
    found: [
      ...ofBills.items.map((item) => ({ kind: 'bill', item }) as const),
      ...ofPayments.items.map((item) => ({ kind: 'payment', item }) as const),
      ...ofPayouts.items.map((item) => ({ kind: 'payout', item }) as const),
      ...refunds.flatMap(({ items }) => items.map((item) => ({ kind: 'refund', item }) as const)),
    ],
    isCut: [ofBills, ofPayments, ofPayouts, ...refunds].some(({ isCut: some }) => some),
  };
}

const always: Window = { from: new Date(0), to: new Date('9999-12-31T00:00:00Z') };
const mostOfKey = 1_000;

/** Returns what was found by a key. `isCut`: there is more. */
export async function everyOf<T>(
  listing: Listing<T> | undefined,
): Promise<{ readonly items: readonly T[]; readonly isCut: boolean }> {
  if (!listing) return { items: [], isCut: true };
  const query = { window: always, after: undefined, limit: mostOfKey, matches: undefined };
  const { items, next } = await listPage(listing, query);
  return { items, isCut: next !== undefined };
}

type Scan = {
  readonly owners: readonly Owner[];
  readonly sought: Sought;
  readonly window: Window;
  readonly limit: number;
};

/** Reads the lists of the window for amounts and last digits; nothing where the text can be neither. */
async function scan({ listings }: FindPorts, { owners, sought, window, limit }: Scan) {
  const { minor, lastFour } = sought;
  if (minor === undefined && lastFour === undefined) return { found: [], unread: [] };
  const endsSo = (mask: string | undefined): boolean =>
    lastFour !== undefined && mask?.endsWith(lastFour) === true;
  const page = async <T>(kind: Kind, list: (of: Owner) => Listing<T>, matches: (item: T) => boolean) => {
    const { items, next } = await listPage(unionOf(owners.map(list)), {
      window,
      after: undefined,
      limit,
      matches,
    });
    return { items, unread: next === undefined ? [] : [{ kind, from: next }] };
  };
  const [bills, payments, payouts, refunds] = await Promise.all([
    page(
      'bill',
      (of) => listings.bills(of),
      ({ amount }) => amount.minor === minor,
    ),
    page(
      'payment',
      (of) => listings.payments(of),
      (payment) =>
        [payment.amount.minor, chargeMinor(payment), payment.receivedMinor].includes(minor ?? -1n) ||
        endsSo(payment.fromCard),
    ),
    page(
      'payout',
      (of) => listings.payouts(of),
      (payout) => payout.amount.minor === minor || sentMinor(payout) === minor || endsSo(payout.mask),
    ),
    page(
      'refund',
      (of) => listings.refunds(of),
      ({ amount }) => amount.minor === minor,
    ),
  ]);
  return {
    found: [
      ...bills.items.map((item) => ({ kind: 'bill', item }) as const),
      ...payments.items.map((item) => ({ kind: 'payment', item }) as const),
      ...payouts.items.map((item) => ({ kind: 'payout', item }) as const),
      ...refunds.items.map((item) => ({ kind: 'refund', item }) as const),
    ],
    unread: [...bills.unread, ...payments.unread, ...payouts.unread, ...refunds.unread],
  };
}
