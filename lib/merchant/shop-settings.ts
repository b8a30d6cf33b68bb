import { checkMerchantUrl, type MerchantUrls } from './merchant-url.ts';
import type { Shop } from './shop.ts';

/** The settings of a shop that the operator may change. An explicit `undefined` removes a setting. */
export type ShopSettings = Partial<
  Pick<
    Shop,
    | 'name'
    | 'enabled'
    | 'defaultCurrency'
    | 'resultUrl'
    | 'successUrl'
    | 'failUrl'
    | 'hosts'
    | 'refundUrl'
    | 'postbackFormat'
    | 'extendedPostbacks'
    | 'billLifetimeMinutes'
  >
>;

/** Which merchant URLs this environment accepts: `loopback` only on a developer's machine. */
export type UrlPolicy = { readonly merchantUrls: MerchantUrls };

/** Returns why one of the shop's URLs or hosts is refused; undefined when all are accepted. */
export function badShopUrl({ merchantUrls }: UrlPolicy, settings: ShopSettings): string | undefined {
  const urls = {
    'Result URL': settings.resultUrl,
    'Success URL': settings.successUrl,
    'Fail URL': settings.failUrl,
    'refund URL': settings.refundUrl,
  };
  for (const [name, url] of Object.entries(urls)) {
    const why = url === undefined ? undefined : badUrl(url, merchantUrls);
    if (why) return `The ${name} is refused: ${why}.`;
  }
  for (const host of settings.hosts ?? []) {
    const why = badUrl(`https://${host}/`, merchantUrls);
    if (why) return `The host ${host} is refused: ${why}.`;
  }
  return undefined;
}

/** Returns why this URL is refused; undefined when it is accepted. */
export function badUrl(url: string, merchantUrls: MerchantUrls): string | undefined {
  const checked = checkMerchantUrl(url, merchantUrls);
  return checked.ok ? undefined : checked.error;
}

/** Returns since when a URL has been set, given the new `url`; replacing one URL by another is no interruption. */
export const sinceWhen = (url: string | undefined, before: Date | undefined, now: Date): Date | undefined =>
  url === undefined ? undefined : (before ?? now);
