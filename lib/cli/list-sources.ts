import { Option } from 'commander';
import { type Bill, billAsShown, billStatuses, billTypes } from '../bill/bill.ts';
import { billIdOf, readBillId, readPaymentId, readShopId } from '../ids.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Shop } from '../merchant/shop.ts';
import { allMerchants, ownersOf } from '../operator/lists/list.ts';
import { paymentMethods } from '../payment/acquirer.ts';
import type { Payment } from '../payment/payment.ts';
import { accountTypes } from '../payout/destination.ts';
import type { Payout } from '../payout/payout.ts';
import { payoutStatuses } from '../payout/states.ts';
import { inParallel } from '../reconciliation/in-parallel.ts';
import { type Refund, refundStatuses } from '../refund/refund.ts';
import { type Listing, listingOf } from '../search/listing.ts';
import type { OrderOf, Owner } from '../search/ports.ts';
import { matching } from '../search/search.ts';
import { unionOf } from '../search/union.ts';
import type { ListSource } from './list-command.ts';
import type { OperatorContext } from './operator-context.ts';
import { merchantAsked } from './merchant-asked.ts';
import { choice, yesNo } from './options.ts';
import { required } from './refusals.ts';

type Filter = {
  readonly merchant?: string;
  readonly shop?: string;
  readonly order?: string;
  readonly status?: string;
};

export const merchantOption = () => new Option('--merchant <id>', 'only of this merchant; default: of all');
const shopOption = () => new Option('--shop <id>', 'only of this shop');
const orderOption = () =>
  new Option('--order <order-id>', 'only of this order_id; found by its key, whenever it was');
const statusOption = (statuses: readonly string[]) => choice('status', statuses, 'only in this status');

export type BillFilter = Filter & { readonly type?: string; readonly active?: boolean };
export const billFilters = (): readonly Option[] => [
  merchantOption(),
  shopOption(),
  orderOption(),
  statusOption(billStatuses),
  choice('type', billTypes, 'only of this type'),
  yesNo('active', 'only links that are on, or off'),
];

/** Bills as merchants see them: an expired one that was never paid is FAIL and off. */
export async function openBills(context: OperatorContext, filter: BillFilter): Promise<ListSource<Bill>> {
  const { shop, order, status, type, active } = filter;
  const { listings, keyedListings } = context;
  const now = context.now();
  const asked = await shopAsked(context, shop);
  const source = await open<Bill>(
    context,
    { merchant: filter.merchant ?? asked?.merchantId, order },
    {
      list: (owner) => listings.bills(owner),
      ofOrder: (of) => keyedListings.billsOfOrder(of),
      matches: matching<Bill>([
        [asked, (bill) => bill.shopId === asked?.id],
        [order, (bill) => bill.orderId === order],
        [status, (bill) => bill.status === status],
        [type, (bill) => bill.type === type],
        [active, (bill) => bill.active === active],
      ]),
    },
  );
  return { ...source, listing: asShown(source.listing, now) };
}

const asShown = (listing: Listing<Bill>, now: Date): Listing<Bill> => ({
  rows: (query) => listing.rows(query),
  read: async (rows) =>
    new Map([...(await listing.read(rows))].map(([row, bill]) => [row, billAsShown(bill, now)])),
});

export type PaymentFilter = Filter & {
  readonly bill?: string;
  readonly method?: string;
  readonly acquirer?: string;
};
export const paymentFilters = (): readonly Option[] => [
  merchantOption(),
  shopOption(),
  orderOption(),
  new Option('--bill <id>', 'only of this bill'),
  statusOption(billStatuses.filter((status) => status !== 'NEW')),
  choice('method', paymentMethods, 'only by this method'),
  new Option('--acquirer <name>', 'only at this acquirer'),
];

export async function openPayments(
  context: OperatorContext,
  filter: PaymentFilter,
): Promise<ListSource<Payment>> {
  const { merchant, shop, order, bill, status, method, acquirer } = filter;
  const { listings, keyedListings } = context;
  const asked = await shopAsked(context, shop);
  const matches = matching<Payment>([
    [merchant, ({ merchantId }) => merchantId === merchant],
    [asked, (payment) => payment.shopId === asked?.id],
    [order, ({ orderId }) => orderId === order],
    [bill, ({ billId }) => billId === bill],
    [status, (payment) => payment.status === status],
    [method, (payment) => payment.method === method],
    [acquirer, (payment) => payment.acquirer === acquirer],
  ]);
  const billId = bill === undefined ? undefined : required(readBillId(bill), 'bill_not_found');
  const ofBill = billId && (await keyedListings.paymentsOfBill(billId));
  if (ofBill) return { listing: ofBill, matches, isKeyed: true, incompleteBefore: undefined };
  const owner = billId ? required(await context.bills.find(billId), 'bill_not_found') : asked;
  return open<Payment>(
    context,
    { merchant: filter.merchant ?? owner?.merchantId, order },
    {
      list: (of) => listings.payments(of),
      ofOrder: (of) => keyedListings.paymentsOfOrder(of),
      matches,
    },
  );
}

export type PayoutFilter = Omit<Filter, 'shop'> & { readonly accountType?: string };
export const payoutFilters = (): readonly Option[] => [
  orderOption(),
  statusOption(payoutStatuses),
  choice('account-type', accountTypes, 'only to accounts of this type'),
];

export const openPayouts = (context: OperatorContext, filter: PayoutFilter): Promise<ListSource<Payout>> =>
  open<Payout>(
    context,
    { merchant: filter.merchant, order: filter.order },
    {
      list: (owner) => context.listings.payouts(owner),
      ofOrder: (of) => context.keyedListings.payoutsOfOrder(of),
      matches: matching<Payout>([
        [filter.order, ({ orderId }) => orderId === filter.order],
        [filter.status, ({ status }) => status === filter.status],
        [filter.accountType, ({ accountType }) => accountType === filter.accountType],
      ]),
    },
  );

export type RefundFilter = Omit<Filter, 'shop' | 'order'> & {
  readonly payment?: string;
  readonly bill?: string;
};
export const refundFilters = (): readonly Option[] => [
  merchantOption(),
  new Option('--payment <id>', 'only of this payment'),
  new Option('--bill <id>', 'only of this bill'),
  statusOption(refundStatuses),
];

export async function openRefunds(
  context: OperatorContext,
  filter: RefundFilter,
): Promise<ListSource<Refund>> {
  const { merchant, payment, bill, status } = filter;
  const matches = matching<Refund>([
    [merchant, ({ merchantId }) => merchantId === merchant],
    [payment, ({ paymentId }) => paymentId === payment],
    [bill, ({ billId }) => billId === bill],
    [status, (refund) => refund.status === status],
  ]);
  const paymentId = payment === undefined ? undefined : required(readPaymentId(payment), 'payment_not_found');
  const ofBill = bill === undefined ? undefined : required(readBillId(bill), 'bill_not_found');
  const billId = paymentId ? billIdOf(paymentId) : ofBill;
  const keyed = billId && (await context.keyedListings.refundsOf({ billId, paymentId }));
  if (keyed) return { listing: keyed, matches, isKeyed: true, incompleteBefore: undefined };
  return open<Refund>(
    context,
    { merchant, order: undefined },
    {
      list: (owner) => context.listings.refunds(owner),
      ofOrder: undefined,
      matches,
    },
  );
}

export type MerchantFilter = {
  readonly banned?: boolean;
  readonly enabled?: boolean;
  readonly verified?: boolean;
};
export const merchantFilters = (): readonly Option[] => [
  yesNo('banned', 'only banned ones, or others'),
  yesNo('enabled', 'only enabled ones, or others'),
  yesNo('verified', 'only verified ones, or others'),
];

export const openMerchants = async (
  { listings, listHistory, now }: OperatorContext,
  { banned, enabled, verified }: MerchantFilter,
): Promise<ListSource<Merchant>> => ({
  listing: listings.merchants(),
  matches: matching<Merchant>([
    [banned, (merchant) => merchant.banned === banned],
    [enabled, (merchant) => merchant.enabled === enabled],
    [verified, (merchant) => merchant.verified === verified],
  ]),
  isKeyed: true,
  incompleteBefore: await listHistory.incompleteForAll(now()),
});

export type ShopFilter = { readonly merchant?: string; readonly enabled?: boolean };
export const shopFilters = (): readonly Option[] => [
  merchantOption(),
  yesNo('enabled', 'only enabled ones, or others'),
];

/** Shops are listed by their merchant, so those of all merchants take a read for each of them. */
export async function openShops(
  context: OperatorContext,
  { merchant, enabled }: ShopFilter,
): Promise<ListSource<Shop>> {
  const asked = await merchantAsked(context, merchant);
  const now = context.now();
  const merchants = asked ? [asked] : (await allMerchants(context.listings, now)).map(({ id }) => id);
  const shops: Shop[] = [];
  await inParallel(merchants, atOnce, async (id) => void shops.push(...(await context.shops.listOf(id))));
  return {
    listing: listingOf(shops),
    matches: matching<Shop>([[enabled, (shop) => shop.enabled === enabled]]),
    isKeyed: true,
    incompleteBefore: asked ? undefined : await context.listHistory.incompleteForAll(now),
  };
}

type Kind<T> = {
  readonly list: (of: Owner) => Listing<T>;
  /** What an order of a merchant has; its result is undefined when there is too much. */
  readonly ofOrder: ((of: OrderOf) => Promise<Listing<T> | undefined>) | undefined;
  readonly matches: ((item: T) => boolean) | undefined;
};

const atOnce = 16;

/** Opens the list of one merchant, or of all of them. */
async function open<T>(
  context: OperatorContext,
  { merchant, order }: { readonly merchant: string | undefined; readonly order: string | undefined },
  { list, ofOrder, matches }: Kind<T>,
): Promise<ListSource<T>> {
  const { listHistory } = context;
  const merchantId = await merchantAsked(context, merchant);
  const listings: Listing<T>[] = [];
  await inParallel(await ownersOf(context, merchantId), atOnce, async (owner) => {
    const found =
      order === undefined ? undefined : await ofOrder?.({ merchantId: owner.merchantId, orderId: order });
    listings.push(found ?? list(owner));
  });
  const now = context.now();
  const incompleteBefore = merchantId
    ? await listHistory.incompleteBefore(merchantId, now)
    : await listHistory.incompleteForAll(now);
  const [only] = listings;
  const listing = listings.length === 1 && only ? only : unionOf(listings);
  return { listing, matches, isKeyed: order !== undefined, incompleteBefore };
}

const shopAsked = async ({ shops }: Pick<OperatorContext, 'shops'>, text: string | undefined) =>
  text === undefined
    ? undefined
    : required(await shops.find(required(readShopId(text), 'shop_not_found')), 'shop_not_found');
