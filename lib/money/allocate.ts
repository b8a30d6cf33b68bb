import { sum } from './money.ts';

/**
 * Divides an amount in proportion to weights, in whole minor units that add up to it (largest remainder; of equal remainders the first
 * ones get the units). Weights are not negative, and at least one is above zero.
 */
export function allocate(minor: bigint, weights: readonly bigint[]): readonly bigint[] {
  const whole = sum(weights);
  const shares = weights.map((weight, place) => ({
    place,
    minor: (minor * weight) / whole,
    remainder: (minor * weight) % whole,
  }));
  const left = Number(minor - sum(shares.map((share) => share.minor)));
  const favoured = new Set(
    shares
      .toSorted((a, b) =>
        a.remainder === b.remainder ? a.place - b.place : a.remainder < b.remainder ? 1 : -1,
      )
      .slice(0, left)
      .map(({ place }) => place),
  );
  return shares.map((share) => share.minor + (favoured.has(share.place) ? 1n : 0n));
}
