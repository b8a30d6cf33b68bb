import { type BalanceCurrency, type BillCurrency, divideHalfUp } from './money.ts';

/** `numerator / denominator` units of `to` for one unit of `from`, as the operator set it at `setAt`. */
export type Rate = {
  readonly from: BillCurrency;
  readonly to: BalanceCurrency;
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly setAt: Date;
};

/** Minor units of `from` in minor units of `to`; a half rounds up. */
export const exchange = (
  minor: bigint,
  { numerator, denominator }: Pick<Rate, 'numerator' | 'denominator'>,
): bigint => divideHalfUp(minor * numerator, denominator);
