import type { Bill } from '../bill/bill.ts';
import type { Contact } from '../bill/contact.ts';
import { cut } from '../cut.ts';
import { allocate } from '../money/allocate.ts';
import { divideHalfUp, parseDecimal, sum, toDecimal } from '../money/money.ts';
import { plainLine } from '../plain-line.ts';
import { descriptionOf } from './description.ts';
import type { Receipt, ReceiptLine, ReceiptTerms } from './receipt.ts';

/** An item of a bill: what was sold. */
type SoldItem = Pick<ReceiptLine, 'name' | 'quantity' | 'priceMinor'>;

/** What a receipt is about: the charge of a payment. Amounts are in the bill's currency. */
export type Sold = {
  /** The name of the only line of a bill without items. */
  readonly name: string;
  readonly items: readonly SoldItem[] | undefined;
  /** The bill's amount. */
  readonly amountMinor: bigint;
  /** The fee that the payer pays on top. */
  readonly surchargeMinor: bigint;
};

/** The name of the line with the payer's fee. Receipts are in Russian. */
const surchargeName = 'Комиссия за оплату';
/** Of a line's name (tag 1030). */
const longestName = 128;
/** Some cash registers take no more. */
const mostLines = 80;

/** Quantities have at most three places, so the total of a line is computed in thousandths of a minor unit. */
const places = 3;
const thousand = 1000n;

/** `weight`: its total in the charge, in minor units. */
type Line = { readonly name: string; readonly thousandths: bigint; readonly weight: bigint };

/**
 * Composes the receipt for `totalMinor` of the charge: all of it, or what was captured or refunded in its place. Then each line is
 * scaled in proportion, to the minor unit. Where the price of one is no whole number after that, a line of several pieces becomes two
 * with prices a minor unit apart; any other one of quantity 1, with its quantity in its name. Pure, so that a call that is repeated
 * sends the same receipt.
 */
export function composeReceipt(
  { taxSystem, vatCode, subject, mode }: ReceiptTerms,
  customer: Receipt['customer'],
  sold: Sold,
  totalMinor: bigint,
): Receipt {
  const lines = joined(linesOf(sold), sold.name);
  const totals = allocate(
    totalMinor,
    lines.map(({ weight }) => weight),
  );
  let spare = mostLines - lines.length;
  const priced = lines.flatMap((line, place) => {
    const made = pricedLines(line, totals[place] ?? 0n, spare > 0);
    spare -= Math.max(made.length - 1, 0);
    return made;
  });
  return { customer, taxSystem, lines: priced.map((line) => ({ ...line, vatCode, subject, mode })) };
}

/** Returns what a payment of this bill is for. */
export const soldWith = (bill: Bill, { surchargeMinor }: Pick<Sold, 'surchargeMinor'>): Sold => ({
  name: descriptionOf(bill),
  items: bill.items,
  amountMinor: bill.amount.minor,
  surchargeMinor,
});

/** Returns where the receipt goes: to the email if there is one. Undefined when the contact has nothing that the provider sends to. */
export function customerOf(
  { emailOnly }: Pick<ReceiptTerms, 'emailOnly'>,
  contact: Pick<Contact, 'email' | 'phone'> | undefined,
): Receipt['customer'] | undefined {
  if (contact?.email !== undefined) return { email: contact.email };
  return contact?.phone === undefined || emailOnly ? undefined : { phone: contact.phone };
}

/**
 * The lines of the charge; the total of an item is rounded half up, as when the bill was created. Items that do not add up to the bill's
 * amount are not what was sold for it.
 */
function linesOf({ name, items = [], amountMinor, surchargeMinor }: Sold): readonly Line[] {
  const read = items.flatMap((item) => lineOf(item, name) ?? []);
  const addsUp = read.length === items.length && sum(read.map(({ weight }) => weight)) === amountMinor;
  return [
    ...(addsUp ? read : [single(name, amountMinor)]),
    ...(surchargeMinor > 0n ? [single(surchargeName, surchargeMinor)] : []),
  ];
}

function lineOf({ name, quantity, priceMinor }: SoldItem, otherwise: string): Line | undefined {
  const thousandths = parseDecimal(quantity, places);
  if (thousandths === undefined || thousandths <= 0n) return undefined;
  return {
    name: plainLine(name) || otherwise,
    thousandths,
    weight: divideHalfUp(priceMinor * thousandths, thousand),
  };
}

const single = (name: string, minor: bigint): Line => ({
  name,
  thousandths: thousand,
  weight: minor,
});

/** The lines that a cash register does not take as well are joined into one. The surcharge, the last, stays. */
function joined(lines: readonly Line[], name: string): readonly Line[] {
  if (lines.length <= mostLines) return lines;
  const last = lines.slice(-1);
  const kept = lines.slice(0, mostLines - 2);
  const rest = sum(lines.slice(mostLines - 2, -1).map(({ weight }) => weight));
  return [...kept, { name, thousandths: thousand, weight: rest }, ...last];
}

function pricedLines(
  { name, thousandths }: Line,
  totalMinor: bigint,
  mayBeTwo: boolean,
): readonly SoldItem[] {
  if (totalMinor === 0n) return [];
  const quantity = decimal(thousandths);
  const exact = totalMinor * thousand;
  if (exact % thousandths === 0n)
    return [{ name: cut(name, longestName), quantity, priceMinor: exact / thousandths }];
  const pieces = thousandths / thousand;
  const lower = pieces > 0n ? totalMinor / pieces : 0n;
  if (mayBeTwo && thousandths % thousand === 0n && lower > 0n) {
    const higherPieces = totalMinor - lower * pieces;
    return [
      { name: cut(name, longestName), quantity: String(pieces - higherPieces), priceMinor: lower },
      { name: cut(name, longestName), quantity: String(higherPieces), priceMinor: lower + 1n },
    ];
  }
  const suffix = ` × ${quantity.replace('.', ',')}`;
  return [
    { name: `${cut(name, longestName - suffix.length)}${suffix}`, quantity: '1', priceMinor: totalMinor },
  ];
}

/** `1500n` thousandths as `1.5`. */
const decimal = (thousandths: bigint): string => toDecimal(thousandths, places).replace(/\.?0+$/, '');
