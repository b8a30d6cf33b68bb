import { largestAmount, smallest } from '../money/money.ts';
import { type PayoutTerms, partLimits } from './cost.ts';
import {
  leftOf,
  type LimitRefusal,
  type LimitUsage,
  type PayoutLimits,
  type Reservation,
  usedOf,
} from './limits.ts';
import type { RailLimits } from './payout-rail.ts';
import { mostParts } from './split.ts';

/** The limits that a refused amount violated. Minor units. */
export type RefusalNumbers =
  | {
      readonly kind: 'limit';
      readonly limitMinor: bigint;
      readonly usedMinor: bigint;
      readonly leftMinor: bigint;
      /** The first day of the next period, `2026-11-22`; the limit resets at its midnight. */
      readonly resetsOn: string;
    }
  | {
      readonly kind: 'parts';
      readonly minimumMinor: bigint;
      readonly maximumMinor: bigint;
      readonly largestPartMinor: bigint;
      readonly mostParts: number;
    };

/** How much of a limit there is, how much is used and left, and until when. */
export function limitNumbers(
  refusal: LimitRefusal,
  { dayLimitMinor, monthLimitMinor }: PayoutLimits,
  { day, month }: Reservation,
  usage: LimitUsage,
): RefusalNumbers {
  const isDay = refusal === 'daily_payout_limit_exceeded';
  const [share, limitMinor, total] = isDay
    ? [day, dayLimitMinor, usage.dayTotal]
    : [month, monthLimitMinor, usage.monthTotal];
  const usedMinor = usedOf(share, total);
  const resetsOn = isDay ? dayAfter(share.period) : firstDayAfter(share.period);
  return { kind: 'limit', limitMinor, usedMinor, leftMinor: leftOf(limitMinor, usedMinor), resetsOn };
}

/** Returns the range of amounts that may be requested and the largest part; undefined when no amount is possible. */
export function partNumbers(terms: PayoutTerms, rail: RailLimits): RefusalNumbers | undefined {
  const limits = partLimits(terms, rail);
  if (!limits) return undefined;
  const { minMinor: minimumMinor, maxMinor: largestPartMinor } = limits;
  const maximumMinor = smallest(largestPartMinor * BigInt(mostParts), largestAmount);
  return { kind: 'parts', minimumMinor, maximumMinor, largestPartMinor, mostParts };
}

/** `2026-11-30` → `2026-12-01`. Calendar days, independent of the time zone. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3600_000).toISOString().slice(0, 10);

/** `2026-12` → `2027-01-01`. */
function firstDayAfter(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return first.toISOString().slice(0, 10);
}
