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

/** How much of a limit there is, how much is used and left, and until when. Minor units. */
export type LimitNumbers = {
  readonly limitMinor: bigint;
  readonly usedMinor: bigint;
  readonly leftMinor: bigint;
  /** The first day of the next period, `2026-11-22`; the limit resets at its midnight. */
  readonly resetsOn: string;
};

/** The limits that a refused amount violated. Minor units. */
export type RefusalNumbers =
  | ({ readonly kind: 'limit' } & LimitNumbers)
  | {
      readonly kind: 'parts';
      readonly minimumMinor: bigint;
      readonly maximumMinor: bigint;
      readonly largestPartMinor: bigint;
      readonly mostParts: number;
    };

/** Returns the numbers of the limit that a request exceeds. */
export function limitNumbers(
  refusal: LimitRefusal,
  limits: PayoutLimits,
  reserved: Reservation,
  usage: LimitUsage,
): RefusalNumbers {
  const { day, month } = numbersOfLimits(limits, reserved, usage);
  return { kind: 'limit', ...(refusal === 'daily_payout_limit_exceeded' ? day : month) };
}

export type NumbersOfLimits = { readonly day: LimitNumbers; readonly month: LimitNumbers };

/** Returns the numbers of both limits, before the request that reserves them. */
export function numbersOfLimits(
  { dayLimitMinor, monthLimitMinor }: PayoutLimits,
  { day, month }: Reservation,
  usage: LimitUsage,
): NumbersOfLimits {
  const numbers = (limitMinor: bigint, usedMinor: bigint, resetsOn: string): LimitNumbers => ({
    limitMinor,
    usedMinor,
    leftMinor: leftOf(limitMinor, usedMinor),
    resetsOn,
  });
  return {
    day: numbers(dayLimitMinor, usedOf(day, usage.dayTotal), dayAfter(day.period)),
    month: numbers(monthLimitMinor, usedOf(month, usage.monthTotal), firstDayAfter(month.period)),
  };
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
