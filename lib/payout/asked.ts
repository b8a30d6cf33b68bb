import { largest, largestAmount, smallest } from '../money/money.ts';
import type { LocalTime } from './calendar.ts';
import { debitOf, partsOf } from './cost.ts';
import { roomLeft } from './limits.ts';
import type { CreationView } from './ports.ts';
import type { RailLimits } from './rail.ts';

/** An amount as the merchant spelled it (undefined: no amount at all), or all there is from a threshold on. */
export type Asked = { readonly amountMinor: bigint | undefined } | { readonly everythingFromMinor: bigint };

/** The amount that is asked for, in minor units. */
export function amountOf(
  asked: Asked,
  view: CreationView,
  rail: RailLimits,
  today: LocalTime,
): bigint | undefined {
  if ('amountMinor' in asked) return asked.amountMinor;
  // Below the threshold: ask for more than there is, so that the refusal says why.
  if (view.availableMinor < asked.everythingFromMinor) return largest(asked.everythingFromMinor, 1n);
  const most = mostPayable(view, rail, roomLeft(view.terms, view.spent, today));
  return largest(most, view.terms.payoutMinMinor);
}

/** The largest amount that the balance pays together with its fees and that the limits have room for. */
function mostPayable({ availableMinor, terms }: CreationView, rail: RailLimits, room: bigint): bigint {
  const fits = (amountMinor: bigint): boolean => {
    const parts = partsOf(amountMinor, terms, rail);
    return parts === undefined ? amountMinor <= rail.minMinor : debitOf(parts) <= availableMinor;
  };
  let most = 0n;
  let tooMuch = smallest(smallest(availableMinor, room), largestAmount) + 1n;
  while (tooMuch - most > 1n) {
    const middle = (most + tooMuch) / 2n;
    if (fits(middle)) most = middle;
    else tooMuch = middle;
  }
  return most;
}
