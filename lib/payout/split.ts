import { largest, smallest } from '../money/money.ts';

/** The most payouts of one request: one transaction writes them all. */
export const mostParts = 10;

/** The limits of one part. Minor units. */
export type PartLimits = { readonly minMinor: bigint; readonly maxMinor: bigint };

/**
 * Splits an amount into the fewest parts within the limits, the largest first; the parts add up to the amount.
 * Undefined when no such parts exist: 500 000.50 with 1.00 to 500 000.00 is 499 999.50 + 1.00.
 */
export function split(
  amountMinor: bigint,
  { minMinor, maxMinor }: PartLimits,
): readonly bigint[] | undefined {
  if (amountMinor < minMinor || maxMinor < minMinor || maxMinor <= 0n) return undefined;
  const count = (amountMinor + maxMinor - 1n) / maxMinor;
  if (count > mostParts || amountMinor < count * minMinor) return undefined;
  return takeLargest(amountMinor, Number(count), { minMinor, maxMinor });
}

/**
 * Returns the range of amounts that are split into this many parts. Ranges may have gaps between them: at 600.00 to
 * 1 000.00 a part, 1 100.00 is too much for one part and too little for two.
 */
export const amountsOf = (count: number, { minMinor, maxMinor }: PartLimits) => ({
  least: largest(minMinor * BigInt(count), maxMinor * BigInt(count - 1) + 1n),
  most: maxMinor * BigInt(count),
});

/** Each part takes as much as possible, leaving the minimum for each that follows. */
function takeLargest(amountMinor: bigint, count: number, limits: PartLimits): readonly bigint[] {
  if (count === 1) return [amountMinor];
  const leftForOthers = limits.minMinor * BigInt(count - 1);
  const part = smallest(limits.maxMinor, amountMinor - leftForOthers);
  return [part, ...takeLargest(amountMinor - part, count - 1, limits)];
}
