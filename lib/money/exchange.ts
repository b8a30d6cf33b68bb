import { type BalanceCurrency, type BillCurrency, divideHalfUp } from './money.ts';

/** One unit of `from` is worth `numerator / denominator` units of `to`; the operator set it at `setAt`. */
export type Rate = {
  readonly from: BillCurrency;
  readonly to: BalanceCurrency;
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly setAt: Date;
};

/** Converts minor units of `from` to minor units of `to`; a half rounds up. */
export const exchange = (
  minor: bigint,
  { numerator, denominator }: Pick<Rate, 'numerator' | 'denominator'>,
): bigint => divideHalfUp(minor * numerator, denominator);
