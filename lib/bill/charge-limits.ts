import type { BillCurrency } from '../money/money.ts';
import type { PaymentMethod } from './payment-method.ts';

/** The charges of one provider and method, in minor units. */
export type ChargeRange = { readonly minMinor: bigint; readonly maxMinor: bigint };

/** What the installation's providers take, from the environment's record: known without a call. */
export interface ChargeLimits {
  /**
   * The ranges of one charge in this currency over all providers and methods, in any order; empty: no provider takes the
   * currency. Undefined: the record names no provider for payments, so nothing is checked.
   */
  rangesIn(currency: BillCurrency): readonly ChargeRange[] | undefined;
  /** The methods that a provider takes in this currency; undefined: the record names no provider for payments. */
  methodsIn(currency: BillCurrency): readonly PaymentMethod[] | undefined;
}

/** A charge that no provider takes. The charge is the bill's amount and the surcharge, in minor units. */
export type ChargeNumbers = {
  readonly kind: 'charge';
  readonly currency: BillCurrency;
  readonly chargeMinor: bigint;
  readonly surchargeMinor: bigint;
  /** What is taken: ascending, without overlaps. */
  readonly ranges: readonly ChargeRange[];
};

/** Returns the ranges in ascending order; those that overlap or adjoin become one. */
export function unionOf(ranges: readonly ChargeRange[]): readonly ChargeRange[] {
  const ascending = ranges.toSorted((one, other) => (one.minMinor < other.minMinor ? -1 : 1));
  return ascending.reduce<readonly ChargeRange[]>((union, range) => {
    const last = union.at(-1);
    if (!last || last.maxMinor + 1n < range.minMinor) return [...union, range];
    const maxMinor = last.maxMinor > range.maxMinor ? last.maxMinor : range.maxMinor;
    return [...union.slice(0, -1), { ...last, maxMinor }];
  }, []);
}

export const isWithin = (minor: bigint, { minMinor, maxMinor }: ChargeRange): boolean =>
  minMinor <= minor && minor <= maxMinor;
