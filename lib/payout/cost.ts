import type { Terms } from '../merchant/terms.ts';
import { type FeeSchedule, feeOn, feeOutOf } from '../money/fee.ts';
import { largest, smallest, sum } from '../money/money.ts';
import type { RailLimits } from './rail.ts';
import { type PartLimits, split } from './split.ts';

/** One part of a request: its share of the amount, its fee, what is sent and what leaves the balance. */
export type PartCost = {
  readonly amountMinor: bigint;
  readonly commissionMinor: bigint;
  readonly sentMinor: bigint;
};

export type PayoutTerms = Pick<Terms, 'payoutFee' | 'payoutMinMinor' | 'payoutMaxMinor' | 'commissionPayer'>;

/** What a part costs: the fee on top of it where the sender pays, out of it where the recipient does. */
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

/** The parts of a request with the fee of each; undefined when it cannot be sent within the limits. */
export function partsOf(
  amountMinor: bigint,
  terms: PayoutTerms,
  rail: RailLimits,
): readonly PartCost[] | undefined {
  const limits = partLimits(terms, rail);
  return limits && split(amountMinor, limits)?.map((part) => costOf(part, terms));
}

/** What one part may be so that merchant and rail allow it; undefined when a fee leaves the rail too little of any. */
export function partLimits(terms: PayoutTerms, rail: RailLimits): PartLimits | undefined {
  const leastShare =
    terms.commissionPayer === 'sender' ? rail.minMinor : beforeFee(rail.minMinor, terms.payoutFee);
  if (leastShare === undefined) return undefined;
  return {
    minMinor: largest(terms.payoutMinMinor, leastShare),
    maxMinor: smallest(terms.payoutMaxMinor, rail.maxMinor),
  };
}

/** What the merchant's balance must hold for these parts. */
export const debitOf = (parts: readonly PartCost[]): bigint =>
  sum(parts.map(({ sentMinor, commissionMinor }) => sentMinor + commissionMinor));

/** Enough for a fee of nearly everything; a fee of everything never converges. */
const mostSteps = 200;

/** The least amount that still leaves this much after a fee is taken out of it; undefined when none found does. */
export function beforeFee(leftMinor: bigint, fee: FeeSchedule): bigint | undefined {
  let amountMinor = leftMinor;
  for (let step = 0; step < mostSteps; step += 1) {
    const short = leftMinor - (amountMinor - feeOn(amountMinor, fee));
    if (short <= 0n) return amountMinor;
    amountMinor += short;
  }
  return undefined;
}
