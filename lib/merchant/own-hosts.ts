import { checkMerchantUrl, type MerchantUrls } from './merchant-url.ts';
import type { Shop } from './shop.ts';

/** The settings by which a host is the shop's own. */
export type HostsOfShop = Pick<Shop, 'resultUrl' | 'successUrl' | 'failUrl' | 'hosts'>;

export const mostHosts = 20;

/**
 * Returns the host of `shop.example.com` or `Магазин.рф` as URLs are compared by: in lower case, in ASCII. Undefined for text with
 * anything besides a host, such as a scheme, a port, a path or a user.
 */
export function readHost(text: string): string | undefined {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  return url?.href === `https://${url?.hostname}/` && !/[/?#@:\\\s]/.test(text) ? url.hostname : undefined;
}

/**
 * Whether payers may be sent to the URL for this shop: its host is that of one of the shop's URLs, or the operator listed it. Compared
 * whole, so neither a subdomain nor a parent domain is the shop's own. A token that leaked must not lead payers elsewhere.
 */
export const isOwnUrl = (shop: HostsOfShop, text: string): boolean =>
  hostsOf(shop).includes(hostIn(text) ?? '');

/** Returns the URL when a shop's URL could have it and its host is the shop's own; otherwise undefined. */
export const readOwnUrl = (shop: HostsOfShop, text: string, policy: MerchantUrls): string | undefined =>
  checkMerchantUrl(text, policy).ok && isOwnUrl(shop, text) ? text : undefined;

const hostsOf = ({ resultUrl, successUrl, failUrl, hosts = [] }: HostsOfShop): readonly string[] => [
  ...[resultUrl, successUrl, failUrl].flatMap((url) => (url && hostIn(url)) ?? []),
  ...hosts,
];

/** Returns the host of a URL as the parser normalizes it: in lower case, in ASCII, without user and port. */
const hostIn = (text: string): string | undefined =>
  URL.canParse(text) ? new URL(text).hostname || undefined : undefined;
