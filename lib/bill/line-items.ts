import * as z from 'zod/mini';
import { cut } from '../cut.ts';
import { divideHalfUp, parseAmount, parseDecimal, sum } from '../money/money.ts';

/** One line of what a bill is for. */
export type LineItem = {
  /** At most 128 UTF-16 units, which is the longest name on a fiscal receipt. */
  readonly name: string;
  /** Of one, in minor units of the bill's currency; 0n for what is free. */
  readonly priceMinor: bigint;
  /** A decimal above 0 with at most 3 places, without trailing zeros: `1`, `0.5`. */
  readonly quantity: string;
  readonly category: string | undefined;
};

const mostLineItems = 80;
const longestName = 128;
const quantityPlaces = 3;
const largestQuantity = 99_999_999n;

const scalar = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value) => String(value).trim()),
);
const absent = z.union([z.null(), z.literal('')]);
const given = z.array(
  z.object({
    name: scalar,
    price: scalar,
    quantity: z.optional(z.union([absent, scalar])),
    category: z.optional(z.union([absent, scalar])),
  }),
);
type GivenItem = z.output<typeof given>[number];

/**
 * Reads the items of a request as JSON text: a list, or an object whose keys are numbers, as form arrays that do not count from 0
 * become. Undefined for other text, for more than 80 items, and for items whose sum is not exactly the amount: the bill is made
 * without them.
 */
export function readLineItems(text: string, amountMinor: bigint): readonly LineItem[] | undefined {
  const parsed = given.safeParse(listIn(jsonIn(text)));
  if (!parsed.success || parsed.data.length === 0 || parsed.data.length > mostLineItems) return undefined;
  const items = parsed.data.map(lineItem).filter((item) => item !== undefined);
  const isWhole = items.length === parsed.data.length;
  return isWhole && sum(items.map(lineTotal)) === amountMinor ? items : undefined;
}

/** Price × quantity, rounded half up to the minor unit, as on a fiscal receipt. */
export const lineTotal = ({ priceMinor, quantity }: Pick<LineItem, 'priceMinor' | 'quantity'>): bigint =>
  divideHalfUp(priceMinor * (parseDecimal(quantity, quantityPlaces) ?? 0n), 10n ** BigInt(quantityPlaces));

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JavaScript orders keys that are whole numbers by their value. */
function listIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.keys(value).every((key) => /^\d{1,4}$/.test(key)) ? Object.values(value) : undefined;
}

function lineItem({ name, price, quantity, category }: GivenItem): LineItem | undefined {
  const shown = printable(name);
  const priceMinor = parsePrice(price);
  const count = parseQuantity(quantity || '1');
  if (shown === '' || priceMinor === undefined || count === undefined) return undefined;
  return { name: shown, priceMinor, quantity: count, category: printable(category ?? '') || undefined };
}

/** Texts of one line, without control characters and halves of characters. */
const printable = (text: string): string =>
  cut(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    longestName,
  ).trim();

const parsePrice = (text: string): bigint | undefined =>
  parseAmount(text) ?? (parseDecimal(text, 2) === 0n ? 0n : undefined);

function parseQuantity(text: string): string | undefined {
  const thousandths = parseDecimal(text, quantityPlaces);
  if (thousandths === undefined || thousandths <= 0n || thousandths > largestQuantity) return undefined;
  const [whole = '', fraction = ''] = [thousandths / 1000n, thousandths % 1000n].map(String);
  const places = fraction.padStart(quantityPlaces, '0').replace(/0+$/, '');
  return places === '' ? whole : `${whole}.${places}`;
}
