import { checkMerchantUrl, type MerchantUrls } from './merchant-url.ts';
import type { Shop } from './shop.ts';

/** What the operator sets of a shop. An explicit `undefined` takes a setting away. */
export type ShopSettings = Partial<
  Pick<
    Shop,
    | 'name'
    | 'enabled'
    | 'defaultCurrency'
    | 'resultUrl'
    | 'successUrl'
    | 'failUrl'
    | 'postbackFormat'
    | 'billLifetimeMinutes'
  >
>;

/** Which merchant URLs this environment takes: `loopback` only on the developer's machine. */
export type UrlPolicy = { readonly merchantUrls: MerchantUrls };

/** Why one of the shop's URLs is not saved; undefined when all may be. */
export function badShopUrl({ merchantUrls }: UrlPolicy, settings: ShopSettings): string | undefined {
  const urls = {
    'Result URL': settings.resultUrl,
    'Success URL': settings.successUrl,
    'Fail URL': settings.failUrl,
  };
  for (const [name, url] of Object.entries(urls)) {
    const why = url === undefined ? undefined : badUrl(url, merchantUrls);
    if (why) return `The ${name} is refused: ${why}.`;
  }
  return undefined;
}

/** Why this URL is not saved; undefined when it may be. */
export function badUrl(url: string, merchantUrls: MerchantUrls): string | undefined {
  const checked = checkMerchantUrl(url, merchantUrls);
  return checked.ok ? undefined : checked.error;
}

/** Since when there is a URL, once it is `url`; a URL that replaces another goes on counting. */
export const sinceWhen = (url: string | undefined, before: Date | undefined, now: Date): Date | undefined =>
  url === undefined ? undefined : (before ?? now);
