import type * as z from 'zod/mini';
import type { refusalDetails } from '../../contract/refusal-details.ts';
import { toDecimal } from '../../money/money.ts';
import type { ChargeNumbers } from '../../bill/charge-limits.ts';
import type { RefusalNumbers as PayoutNumbers } from '../../payout/refusal-numbers.ts';
import type { RefundObstacle } from '../../refund/create-refund.ts';
import type { FieldErrors } from '../validation.ts';
import { amountNumber } from './amounts.ts';
import { limitFields } from './payout.ts';

/** The numbers behind a refused amount of a bill or a payout, or why a payment cannot be refunded so. */
export type RefusalNumbers = ChargeNumbers | PayoutNumbers | RefundObstacle;

type Explanation = { readonly errors: FieldErrors; readonly details?: z.input<typeof refusalDetails> };

/** Presents the numbers behind a refusal, as fields for programs and as a sentence for people. */
export function presentRefusal(numbers: RefusalNumbers): Explanation {
  if ('why' in numbers) return presentObstacle(numbers);
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

/** Presents why a payment cannot be refunded so: the sentence is under the field that could be sent otherwise. */
function presentObstacle(obstacle: RefundObstacle): Explanation {
  const of = (field: string, sentence: string): Explanation => ({ errors: { [field]: [sentence] } });
  switch (obstacle.why) {
    case 'not_paid':
      return of(
        'payment_id',
        'This payment is not paid: payment/status shows its status. Only a paid payment can be refunded.',
      );
    case 'no_order':
      return of(
        'payment_id',
        'This payment has no order at its acquirer, because it was settled by hand: ask the operator to return its money.',
      );
    case 'acquirer_not_deployed':
      return of(
        'payment_id',
        'The acquirer of this payment is no longer connected: ask the operator to return its money.',
      );
    case 'no_contact':
      return obstacle.emailOnly
        ? of(
            'payer_email',
            'The refund needs a fiscal receipt, and no e-mail address of the payer is known: send payer_email.',
          )
        : of(
            'payer_email',
            'The refund needs a fiscal receipt, and neither an e-mail address nor a phone number of the payer is known: send payer_email or payer_phone.',
          );
    case 'more_than_refundable': {
      const { minor, currency } = obstacle.refundable;
      const why = 'what was received, less its other refunds and its chargebacks.';
      const told =
        minor === 0n
          ? of('payment_id', `Nothing of this payment is left to refund: ${why}`)
          : of('amount', `At most ${toDecimal(minor)} ${currency} of this payment can be refunded: ${why}`);
      return { ...told, details: { refundable: amountNumber(minor) } };
    }
  }
}
