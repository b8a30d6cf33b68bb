import type * as z from 'zod/mini';
import type { refusalDetails } from '../../contract/refusal-details.ts';
import { toDecimal } from '../../money/money.ts';
import type { RefusalNumbers } from '../../payout/refusal-numbers.ts';
import type { FieldErrors } from '../validation.ts';
import { amountNumber } from './amounts.ts';

type Explanation = { readonly errors: FieldErrors; readonly details: z.input<typeof refusalDetails> };

/** Presents the numbers behind a refusal, as fields for programs and as a sentence for people. */
export function presentRefusal(numbers: RefusalNumbers): Explanation {
  if (numbers.kind === 'limit') {
    const { limitMinor, usedMinor, leftMinor, resetsOn } = numbers;
    const resetsAt = `${resetsOn} 00:00:00`;
    const sentence = `The limit is ${toDecimal(limitMinor)}: ${toDecimal(usedMinor)} is used, ${toDecimal(leftMinor)} is left until ${resetsAt}.`;
    return {
      errors: { amount: [sentence] },
      details: {
        limit: amountNumber(limitMinor),
        used: amountNumber(usedMinor),
        left: amountNumber(leftMinor),
        resets_at: resetsAt,
      },
    };
  }
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
