import * as z from 'zod/mini';
import { checkMerchantUrl, type MerchantUrls } from '../merchant/merchant-url.ts';
import { type HostsOfShop, isOwnUrl } from '../merchant/own-hosts.ts';
import { methodNames, type PaymentMethod, paymentMethods } from './payment-method.ts';

/** The languages that a bill may name for the payer's pages. */
export const locales = ['ru', 'en', 'kk'] as const;
export type Locale = (typeof locales)[number];

/** The language of the pages and acquirers for a bill's locale: the nearest, where there are none in its own. */
export const languageFor = { ru: 'ru', en: 'en', kk: 'ru' } as const satisfies Record<Locale, 'ru' | 'en'>;

/** What a bill may have the payer asked on the payment page. */
export const askable = ['email', 'phone', 'name', 'comment'] as const;
export type Askable = (typeof askable)[number];

/** What a bill request may add to the contract's fields. None of it ever refuses a bill. */
export type BillOptions = {
  /** Seconds from its creation to its end; the shop's own lifetime may be shorter. */
  readonly ttlSeconds: number | undefined;
  /** Of the payer's pages and the acquirer's, unless the payer chooses another. */
  readonly locale: Locale | undefined;
  /** Offered first. */
  readonly method: PaymentMethod | undefined;
  /** In place of the shop's, while its host is the shop's own. */
  readonly successUrl: string | undefined;
  readonly failUrl: string | undefined;
  /** The link "back to the shop" on our pages, while its host is the shop's own. */
  readonly returnUrl: string | undefined;
  /** In the order of the page, at least one. */
  readonly asks: readonly Askable[] | undefined;
};
type OptionName = keyof BillOptions;

export const noOptions = {
  ttlSeconds: undefined,
  locale: undefined,
  method: undefined,
  successUrl: undefined,
  failUrl: undefined,
  returnUrl: undefined,
  asks: undefined,
} as const satisfies BillOptions;

/** The options as a request spelled them. Empty text: it was no text. */
export type GivenOptions = Readonly<Record<OptionName, string | undefined>>;

/** The fields of the request. */
export const optionFields = [
  'ttl',
  'locale',
  'payment_method',
  'success_url',
  'fail_url',
  'return_url',
  'request_fields',
] as const;
type OptionField = (typeof optionFields)[number];

const shortestTtl = 60;
const longestTtl = 31_536_000;

/** Returns the options that are readable. Whether this shop and installation can honour them is another question. */
export const readOptions = (given: GivenOptions, policy: MerchantUrls): BillOptions => {
  const url = (text = ''): string | undefined => readUrl(text, policy);
  return {
    ttlSeconds: readTtl(given.ttlSeconds ?? ''),
    locale: oneOf(locales, given.locale),
    method: paymentMethods.find((method) => isSame(methodNames[method], given.method)),
    successUrl: url(given.successUrl),
    failUrl: url(given.failUrl),
    returnUrl: url(given.returnUrl),
    asks: readAsks(given.asks ?? '').asks,
  };
};

const isSame = (word: string, given = ''): boolean => word.toLowerCase() === given.trim().toLowerCase();

const oneOf = <T extends string>(words: readonly T[], given: string | undefined): T | undefined =>
  words.find((word) => isSame(word, given));

function readTtl(text: string): number | undefined {
  const seconds = /^\s*\d{1,8}\s*$/.test(text) ? Number(text) : 0;
  return shortestTtl <= seconds && seconds <= longestTtl ? seconds : undefined;
}

function readUrl(text: string, policy: MerchantUrls): string | undefined {
  const url = text.trim();
  return url.isWellFormed() && checkMerchantUrl(url, policy).ok ? url : undefined;
}

const flags = z.record(z.string(), z.unknown());
const on: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on']);
const off: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off', '']);

/** Reads `{"email":"1"}` as JSON text. `whole`: every key is one of ours, with a flag. */
function readAsks(text: string): Pick<BillOptions, 'asks'> & { readonly whole: boolean } {
  const given = flags.safeParse(jsonIn(text));
  if (!given.success) return { asks: undefined, whole: false };
  const words = Object.entries(given.data).map(([key, value]) => [key, wordOf(value)] as const);
  const asks = askable.filter((field) => words.some(([key, word]) => key === field && on.has(word)));
  const whole = words.every(([key, word]) => oneOf(askable, key) === key && (on.has(word) || off.has(word)));
  return { asks: asks.length > 0 ? asks : undefined, whole };
}

const wordOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value).toLowerCase() : 'none';

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Honouring = {
  readonly shop: HostsOfShop;
  /** The methods that an acquirer takes in the bill's currency; undefined: not known here. */
  readonly methods: readonly PaymentMethod[] | undefined;
};

/** Returns the options that this shop and installation can honour: URLs at the shop's own hosts, and a method that is served. */
export const honoured = (options: BillOptions, { shop, methods }: Honouring): BillOptions => {
  const own = (url: string | undefined) => (url !== undefined && isOwnUrl(shop, url) ? url : undefined);
  const { method } = options;
  return {
    ...options,
    method: method !== undefined && (methods?.includes(method) ?? true) ? method : undefined,
    successUrl: own(options.successUrl),
    failUrl: own(options.failUrl),
    returnUrl: own(options.returnUrl),
  };
};

export const hasOptions = (options: BillOptions): boolean =>
  Object.values(options).some((value) => value !== undefined);

type Compared = {
  /** What a bill of this request would have now. */
  readonly able: BillOptions | undefined;
  /** What the bill has, which an earlier request may have made. */
  readonly stored: BillOptions | undefined;
};

/** Returns of each field whether it was sent and the bill does not have it, or does not have it as it was sent. */
export function leftOutOptions(
  given: GivenOptions,
  { able = noOptions, stored = noOptions }: Compared,
): Readonly<Record<OptionField, boolean>> {
  const isLeftOut = (name: OptionName): boolean =>
    given[name] !== undefined && (able[name] === undefined || String(able[name]) !== String(stored[name]));
  return {
    ttl: isLeftOut('ttlSeconds'),
    locale: isLeftOut('locale'),
    payment_method: isLeftOut('method'),
    success_url: isLeftOut('successUrl'),
    fail_url: isLeftOut('failUrl'),
    return_url: isLeftOut('returnUrl'),
    request_fields:
      given.asks !== undefined && (!readAsks(given.asks).whole || String(able.asks) !== String(stored.asks)),
  };
}
