import * as z from 'zod/mini';
import { amount, at } from './fields.ts';

const told = z.optional(amount);

/**
 * Additive: the numbers behind a refused amount, as `details` beside `message` and `errors.amount`. Amounts are of the
 * payout's currency. With a limit: `limit`, `used`, `left`, `resets_at`. With an amount that is below the minimum or
 * does not go out in parts: `minimum`, `maximum`, `largest_part`, `most_parts`.
 */
export const refusalDetails = z.object({
  limit: told,
  used: told,
  left: told,
  resets_at: z.optional(at),
  minimum: told,
  maximum: told,
  largest_part: told,
  most_parts: z.optional(z.int()),
});
