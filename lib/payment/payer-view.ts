import type { Bill } from '../bill/bill.ts';
import type { Locale } from '../bill/options.ts';
import type { Shops } from '../merchant/ports.ts';
import { type HostsOfShop, isOwnUrl } from '../merchant/own-hosts.ts';

/** What a bill asks of the pages that its payer sees. */
export type PayerView = {
  readonly locale: Locale | undefined;
  /** Where the link "Back to the shop" leads. */
  readonly returnUrl: string | undefined;
};

/** The shop's hosts may have changed since the bill was created, so its URL is checked again. */
export const viewWith = ({ options }: Pick<Bill, 'options'>, shop: HostsOfShop | undefined): PayerView => ({
  locale: options?.locale,
  returnUrl: ownUrl(shop, options?.returnUrl),
});

/** Returns the URL of a bill while its host is the shop's own. */
export const ownUrl = (shop: HostsOfShop | undefined, url: string | undefined): string | undefined =>
  shop && url !== undefined && isOwnUrl(shop, url) ? url : undefined;

/** Reads the shop only for a bill that has a return URL. */
export const viewOf = async (
  { shops }: { readonly shops: Pick<Shops, 'find'> },
  bill: Pick<Bill, 'options' | 'shopId'>,
): Promise<PayerView> =>
  viewWith(bill, bill.options?.returnUrl === undefined ? undefined : await shops.find(bill.shopId));
