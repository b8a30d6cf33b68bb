export const balanceCurrencies = ['RUB', 'USD', 'EUR'] as const;
/** The currencies that a payer may be charged in (contract 2.1). KZT is not a balance currency (2.3). */
export const billCurrencies = [...balanceCurrencies, 'KZT'] as const;

export type BalanceCurrency = (typeof balanceCurrencies)[number];
export type BillCurrency = (typeof billCurrencies)[number];

/** An amount in minor units (kopecks, cents, tiyn). Never a float. */
export type Money<C extends BillCurrency = BillCurrency> = { readonly minor: bigint; readonly currency: C };

export const isBalanceCurrency = (currency: BillCurrency): currency is BalanceCurrency => currency !== 'KZT';

/** The largest amount of decimal(10,2): 99 999 999.99 (contract 8). */
export const largestAmount = 9_999_999_999n;

/** Bounds on length and exponent, checked before any arithmetic. */
const longestText = 64;
const largestExponent = 99;

const decimal = /^\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** `digits` × 10^`exponent`, exactly as the text says. */
type Decimal = { readonly digits: bigint; readonly exponent: number };

/** Reads digits with at most one dot and an exponent; no comma, hex, grouping or minus. */
function readDecimal(text: string): Decimal | undefined {
  if (text.length > longestText) return undefined;
  const [matched, whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? [];
  const shift = Number(power);
  if (matched === undefined || whole + fraction === '' || Math.abs(shift) > largestExponent) return undefined;
  return { digits: BigInt(whole + fraction), exponent: shift - fraction.length };
}

/**
 * Parses a decimal amount as form fields and JSON numbers spell it: `16`, `100.5000`, `1e+06`, surrounding blanks.
 * Returns minor units, or undefined when the value is zero or negative, above the largest amount, or not a whole number
 * of minor units. Floating-point noise, as in `7.000000000000001` for `0.07*100`, is ignored: see `isNoise`.
 */
export function parseAmount(text: string): bigint | undefined {
  // `1e+06` in a form that was not percent-encoded arrives as `1e 06`.
  const read = readDecimal(text.trim().replace(/^([\d.]+[eE]) (?=\d)/, '$1+'));
  if (!read) return undefined;
  const places = Math.max(2, -read.exponent);
  const value = read.digits * 10n ** BigInt(read.exponent + places);
  const oneMinor = 10n ** BigInt(places - 2);
  const minor = divideHalfUp(value, oneMinor);
  if (!isNoise(value - minor * oneMinor, value, places)) return undefined;
  return minor > 0n && minor <= largestAmount ? minor : undefined;
}

/**
 * Whether the distance to the nearest minor unit is within max(1e-9, 1e-12 × value), all three in the unit that the
 * amount is written in (roubles, not kopecks), here as integer counts of 10^-places. After a few operations a double is
 * off by at most 1e-15 of its value; the smallest fraction that a client could mean is a tenth of a kopeck, 1e-3.
 */
function isNoise(distance: bigint, value: bigint, places: number): boolean {
  const off = distance < 0n ? -distance : distance;
  return off * 10n ** 9n <= 10n ** BigInt(places) || off * 10n ** 12n <= value;
}

/** Parses plain or exponent notation to an exact integer count of 10^-places; undefined when it does not fit. */
export function parseDecimal(text: string, places: number): bigint | undefined {
  const read = readDecimal(text);
  if (!read) return undefined;
  const shift = read.exponent + places;
  if (shift >= 0) return shift > 40 ? undefined : read.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return read.digits % divisor === 0n ? read.digits / divisor : undefined;
}

/** Formats `10050n` as `100.50`, the text that is shown and signed. */
export function toDecimal(minor: bigint, places = 2): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);

/** Divides non-negative integers and rounds a half up. */
export const divideHalfUp = (dividend: bigint, divisor: bigint): bigint =>
  (dividend * 2n + divisor) / (divisor * 2n);
