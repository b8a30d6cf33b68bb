import type { Terms } from '../merchant/terms.ts';
import { type FeeSchedule, feeOn, feeOutOf } from '../money/fee.ts';
import { largest, smallest, sum } from '../money/money.ts';
import type { RailLimits } from './payout-rail.ts';
import { type PartLimits, split } from './split.ts';

/** One part of a request: its share of the amount, its fee, and the amount sent to the recipient. Minor units. */
export type PartCost = {
  readonly amountMinor: bigint;
  readonly commissionMinor: bigint;
  readonly sentMinor: bigint;
};

export type PayoutTerms = Pick<Terms, 'payoutFee' | 'payoutMinMinor' | 'payoutMaxMinor' | 'commissionPayer'>;

/** Returns the cost of a part. The fee is added where the sender pays it, deducted where the recipient does. */
export function costOf(
  amountMinor: bigint,
  { payoutFee, commissionPayer }: Pick<PayoutTerms, 'payoutFee' | 'commissionPayer'>,
): PartCost {
  if (commissionPayer === 'sender') {
    return { amountMinor, commissionMinor: feeOn(amountMinor, payoutFee), sentMinor: amountMinor };
  }
  const commissionMinor = feeOutOf(amountMinor, payoutFee);
  return { amountMinor, commissionMinor, sentMinor: amountMinor - commissionMinor };
}

/** Returns the parts of a request with their fees; undefined when it cannot be split within the limits. */
export function partsOf(
  amountMinor: bigint,
  terms: PayoutTerms,
  rail: RailLimits,
): readonly PartCost[] | undefined {
  const limits = partLimits(terms, rail);
  return limits && split(amountMinor, limits)?.map((part) => costOf(part, terms));
}

/** Returns the limits for one part by merchant and rail; undefined when the fee leaves less than the rail's minimum. */
export function partLimits(terms: PayoutTerms, rail: RailLimits): PartLimits | undefined {
  const leastShare =
    terms.commissionPayer === 'sender' ? rail.minMinor : beforeFee(rail.minMinor, terms.payoutFee);
  if (leastShare === undefined) return undefined;
  return {
    minMinor: largest(terms.payoutMinMinor, leastShare),
    maxMinor: smallest(terms.payoutMaxMinor, rail.maxMinor),
  };
}

/** Returns what these parts take from the merchant's balance, in minor units. */
export const debitOf = (parts: readonly PartCost[]): bigint =>
  sum(parts.map(({ sentMinor, commissionMinor }) => sentMinor + commissionMinor));

/** Enough for a fee of nearly 100 %; a fee of 100 % never converges. */
const mostSteps = 200;

/** Returns the least amount that leaves `leftMinor` after the fee is deducted; undefined when none is found. */
export function beforeFee(leftMinor: bigint, fee: FeeSchedule): bigint | undefined {
  let amountMinor = leftMinor;
  for (let step = 0; step < mostSteps; step += 1) {
    const short = leftMinor - (amountMinor - feeOn(amountMinor, fee));
    if (short <= 0n) return amountMinor;
    amountMinor += short;
  }
  return undefined;
}
