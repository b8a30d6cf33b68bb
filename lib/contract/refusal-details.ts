import * as z from 'zod/mini';
import { amount, at } from './fields.ts';

const optionalAmount = z.optional(amount);

/**
 * Additive: the numbers behind a refused amount, as `details` next to `message` and `errors.amount`. Amounts are in the
 * currency of the bill or payout. For an exceeded limit: `limit`, `used`, `left`, `resets_at`. For a payout's amount that is below the
 * minimum or cannot be split into allowed parts: `minimum`, `maximum`, `largest_part`, `most_parts`. For a bill whose charge no provider
 * takes: `charge`, and the `minimum` and `maximum` of a charge. For more than is refundable of a payment: `refundable`.
 */
export const refusalDetails = z.object({
  limit: optionalAmount,
  used: optionalAmount,
  left: optionalAmount,
  resets_at: z.optional(at),
  minimum: optionalAmount,
  maximum: optionalAmount,
  largest_part: optionalAmount,
  most_parts: z.optional(z.int()),
  charge: optionalAmount,
  refundable: optionalAmount,
});
