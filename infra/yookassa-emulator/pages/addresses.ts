/** Where the pages are: the hosted page and the bank have origins of their own, as in production. */
export type PageOrigins = {
  /** Without a trailing slash. */
  readonly pagesUrl: string;
  readonly bankUrl: string;
};

const checkoutPath = '/checkout/payments/v2/contract';

/** The payment's `confirmation_url`. */
export const checkoutUrl = ({ pagesUrl }: Pick<PageOrigins, 'pagesUrl'>, paymentId: string): string =>
  `${pagesUrl}${checkoutPath}?orderId=${paymentId}`;

/** The hosted page after the way over the third origin. */
export const visitedUrl = (origins: Pick<PageOrigins, 'pagesUrl'>, paymentId: string): string =>
  `${checkoutUrl(origins, paymentId)}&visit=1`;

export const isVisited = ({ searchParams }: URL): boolean => searchParams.has('visit');

/** Where the `confirmation_url` redirects, which redirects to the hosted page. */
export const visitUrl = ({ bankUrl }: PageOrigins, paymentId: string): string =>
  `${bankUrl}/visit/${paymentId}`;

export const challengeUrl = ({ bankUrl }: PageOrigins, paymentId: string): string =>
  `${bankUrl}/3ds/${paymentId}`;

export const sbpUrl = ({ bankUrl }: PageOrigins, paymentId: string): string => `${bankUrl}/sbp/${paymentId}`;

/** Returns the payment that a hosted page's URL names; undefined for another path. */
export const paymentOfCheckout = ({ pathname, searchParams }: URL): string | undefined =>
  pathname === checkoutPath ? (searchParams.get('orderId') ?? undefined) : undefined;

type BankPage = { readonly page: '3ds' | 'sbp' | 'visit'; readonly paymentId: string };

/** Returns the page and the payment that a bank's URL names; undefined for another path. */
export function bankPageOf({ pathname }: URL): BankPage | undefined {
  const [, page, paymentId] = /^\/(3ds|sbp|visit)\/([0-9a-z-]+)$/.exec(pathname) ?? [];
  return (page === '3ds' || page === 'sbp' || page === 'visit') && paymentId !== undefined
    ? { page, paymentId }
    : undefined;
}
