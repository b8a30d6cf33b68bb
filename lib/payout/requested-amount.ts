import { largest, largestAmount, smallest } from '../money/money.ts';
import type { LocalTime } from './calendar.ts';
import { debitOf, partLimits, partsOf } from './cost.ts';
import { remainingLimit } from './limits.ts';
import type { CreationContext } from './ports.ts';
import type { RailLimits } from './payout-rail.ts';
import { amountsOf, mostParts } from './split.ts';

/** The amount requested by the merchant (undefined: not a valid amount), or the whole balance from a threshold on. */
export type RequestedAmount =
  | { readonly amountMinor: bigint | undefined }
  | { readonly everythingFromMinor: bigint };

/** Returns the requested amount in minor units; undefined when it is not a valid amount. */
export function amountOf(
  requested: RequestedAmount,
  context: CreationContext,
  rail: RailLimits,
  today: LocalTime,
): bigint | undefined {
  if ('amountMinor' in requested) return requested.amountMinor;
  // Below the threshold: request more than is available, so that the refusal gives the reason.
  if (context.availableMinor < requested.everythingFromMinor)
    return largest(requested.everythingFromMinor, 1n);
  const most = mostPayable(context, rail, remainingLimit(context.terms, context.usage, today));
  // Nothing payable: request the least that may be sent, for the same reason.
  return most ?? largest(partLimits(context.terms, rail)?.minMinor ?? context.terms.payoutMinMinor, 1n);
}

/** Returns the largest amount that can be sent and that balance, including fees, and limits allow. Minor units. */
function mostPayable(
  { availableMinor, terms }: CreationContext,
  rail: RailLimits,
  room: bigint,
): bigint | undefined {
  const limits = partLimits(terms, rail);
  if (!limits) return undefined;
  const isPayable = (amountMinor: bigint): boolean => {
    const parts = partsOf(amountMinor, terms, rail);
    return parts !== undefined && debitOf(parts) <= availableMinor;
  };
  const bound = smallest(smallest(availableMinor, room), largestAmount);
  for (let count = mostParts; count > 0; count -= 1) {
    const { least, most } = amountsOf(count, limits);
    const found = lastOf({ least, most: smallest(most, bound) }, isPayable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Binary search for the largest amount that passes; every amount above a failing one must fail, too. */
function lastOf(
  { least, most }: ReturnType<typeof amountsOf>,
  passes: (amountMinor: bigint) => boolean,
): bigint | undefined {
  if (least > most || !passes(least)) return undefined;
  let [passed, tooMuch] = [least, most + 1n];
  while (tooMuch - passed > 1n) {
    const middle = (passed + tooMuch) / 2n;
    if (passes(middle)) passed = middle;
    else tooMuch = middle;
  }
  return passed;
}
