export const balanceCurrencies = ['RUB', 'USD', 'EUR'] as const;
/** Contract 2.1: what a payer may be charged in. KZT is no balance currency (2.3). */
export const billCurrencies = [...balanceCurrencies, 'KZT'] as const;

export type BalanceCurrency = (typeof balanceCurrencies)[number];
export type BillCurrency = (typeof billCurrencies)[number];

/** An amount in minor units (kopecks, cents, tiyn). Never a float. */
export type Money<C extends BillCurrency = BillCurrency> = { readonly minor: bigint; readonly currency: C };

export const isBalanceCurrency = (currency: BillCurrency): currency is BalanceCurrency => currency !== 'KZT';

/** The largest amount of decimal(10,2): 99 999 999.99 (contract 8). */
export const largestAmount = 9_999_999_999n;

const decimal = /^\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a decimal amount, as form fields and JSON numbers spell it: `16`, `100.5`, `1e+06`.
 * Answers minor units, or undefined when the text is no amount above zero with at most two decimals.
 */
export function parseAmount(text: string): bigint | undefined {
  // `1e+06` in a form that was not percent-encoded arrives as `1e 06`.
  const minor = parseDecimal(text.trim().replace(/^([\d.]+[eE]) (?=\d)/, '$1+'), 2);
  return minor !== undefined && minor > 0n && minor <= largestAmount ? minor : undefined;
}

/** Reads plain or exponent notation into an integer count of 10^-places; undefined when it does not fit. */
export function parseDecimal(text: string, places: number): bigint | undefined {
  const [matched, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  if (matched === undefined || whole + fraction === '' || text.length > 64) return undefined;
  const shift = Number(exponent) + places - fraction.length;
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return shift > 40 ? undefined : digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return exponent !== '0' && digits % divisor === 0n ? digits / divisor : undefined;
}

/** `10050n` as `100.50`, the text that is shown and signed. */
export function toDecimal(minor: bigint, places = 2): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);

/** Integer division of non-negative numbers, a half rounded up. */
export const divideHalfUp = (dividend: bigint, divisor: bigint): bigint =>
  (dividend * 2n + divisor) / (divisor * 2n);
