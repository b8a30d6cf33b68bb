import type * as z from 'zod/mini';
import type { refusalDetails } from '../../contract/refusal-details.ts';
import { toDecimal } from '../../money/money.ts';
import type { ChargeNumbers } from '../../bill/charge-limits.ts';
import type { RefusalNumbers as PayoutNumbers } from '../../payout/refusal-numbers.ts';
import type { FieldErrors } from '../validation.ts';
import { amountNumber } from './amounts.ts';
import { limitFields } from './payout.ts';

/** The numbers behind a refused amount of a bill or a payout. */
export type RefusalNumbers = ChargeNumbers | PayoutNumbers;

type Explanation = { readonly errors: FieldErrors; readonly details: z.input<typeof refusalDetails> };

/** Presents the numbers behind a refusal, as fields for programs and as a sentence for people. */
export function presentRefusal(numbers: RefusalNumbers): Explanation {
  if (numbers.kind === 'limit') {
    const { limitMinor, usedMinor, leftMinor } = numbers;
    const details = limitFields(numbers);
    const sentence = `The limit is ${toDecimal(limitMinor)}: ${toDecimal(usedMinor)} is used, ${toDecimal(leftMinor)} is left until ${details.resets_at}.`;
    return { errors: { amount: [sentence] }, details };
  }
  if (numbers.kind === 'charge') return presentCharge(numbers);
  const { minimumMinor, maximumMinor, largestPartMinor, mostParts } = numbers;
  const sentence = `The amount must be from ${toDecimal(minimumMinor)} to ${toDecimal(maximumMinor)}, and go out in at most ${mostParts} parts of ${toDecimal(minimumMinor)} to ${toDecimal(largestPartMinor)} each.`;
  return {
    errors: { amount: [sentence] },
    details: {
      minimum: amountNumber(minimumMinor),
      maximum: amountNumber(maximumMinor),
      largest_part: amountNumber(largestPartMinor),
      most_parts: mostParts,
    },
  };
}

/** The charge is compared, not the amount: the sentence says what the payer's fee adds to it. */
function presentCharge({ chargeMinor, surchargeMinor, currency, ranges }: ChargeNumbers): Explanation {
  const taken = ranges
    .map(({ minMinor, maxMinor }) => `from ${toDecimal(minMinor)} to ${toDecimal(maxMinor)}`)
    .join(' or ');
  const parts =
    surchargeMinor > 0n
      ? ` (the amount ${toDecimal(chargeMinor - surchargeMinor)} and the fee ${toDecimal(surchargeMinor)})`
      : '';
  const sentence = `The payer would be charged ${toDecimal(chargeMinor)} ${currency}${parts}: a charge must be ${taken}.`;
  return {
    errors: { amount: [sentence] },
    details: {
      charge: amountNumber(chargeMinor),
      minimum: amountNumber(ranges[0]?.minMinor ?? 0n),
      maximum: amountNumber(ranges.at(-1)?.maxMinor ?? 0n),
    },
  };
}
