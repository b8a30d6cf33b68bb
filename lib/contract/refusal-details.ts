import * as z from 'zod/mini';
import { amount, at } from './fields.ts';

const told = (description: string) => z.optional(amount.check(z.meta({ description })));

/**
 * Additive: the numbers behind a refused amount, as `details` beside `message` and `errors.amount`. Amounts are of the
 * payout's currency. With a limit: `limit`, `used`, `left`, `resets_at`. With an amount that is below the minimum or
 * does not go out in parts: `minimum`, `maximum`, `largest_part`, `most_parts`.
 */
export const refusalDetails = z.object({
  limit: told('The limit of the day or of the month.'),
  used: told('How much of the limit is used.'),
  left: told('The largest amount that is within the limit now.'),
  resets_at: z.optional(at.check(z.meta({ description: 'When all of the limit is there again.' }))),
  minimum: told('The smallest amount.'),
  maximum: told('The largest amount.'),
  largest_part: told('The largest single payout: a larger amount is split.'),
  most_parts: z.optional(
    z.int().check(z.meta({ description: 'How many payouts an amount is split into at most.' })),
  ),
});
