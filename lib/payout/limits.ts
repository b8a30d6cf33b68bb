import { largest } from '../money/money.ts';
import type { LocalTime } from './calendar.ts';

/** How much of its limits a balance has used; a total of a past day or month no longer counts. Minor units. */
export type LimitUsage = {
  readonly day: string | undefined;
  readonly dayTotal: bigint;
  readonly month: string | undefined;
  readonly monthTotal: bigint;
  /** What each rule released on its day. Never given back, so that a rule cannot release the same money twice a day. */
  readonly byRule: Readonly<Record<PayoutRule, RuleUsage>> | undefined;
};

/** The rules that release a payout without a moderator. */
export const payoutRules = ['auto_approve_up_to', 'auto_approve_known_accounts'] as const;
export type PayoutRule = (typeof payoutRules)[number];
type RuleUsage = { readonly day: string | undefined; readonly total: bigint };

export type PayoutLimits = { readonly dayLimitMinor: bigint; readonly monthLimitMinor: bigint };

/** What a payout takes of a period's limit; `room` is the most that may already be used for it to fit. Minor units. */
export type PeriodReservation = {
  readonly period: string;
  /** Whether the stored total is for this period. */
  readonly running: boolean;
  readonly amountMinor: bigint;
  readonly room: bigint;
};

export type Reservation = { readonly day: PeriodReservation; readonly month: PeriodReservation };

/** Returns what a payout of this amount takes of the limits. A later stored period wins: another clock may be ahead. */
export function reservation(
  amountMinor: bigint,
  { dayLimitMinor, monthLimitMinor }: PayoutLimits,
  usage: LimitUsage,
  today: Pick<LocalTime, 'day' | 'month'>,
): Reservation {
  const share = (now: string, counted: string | undefined, limit: bigint): PeriodReservation => {
    const period = counted !== undefined && counted > now ? counted : now;
    return { period, running: counted === period, amountMinor, room: limit - amountMinor };
  };
  return {
    day: share(today.day, usage.day, dayLimitMinor),
    month: share(today.month, usage.month, monthLimitMinor),
  };
}

export type LimitRefusal = 'daily_payout_limit_exceeded' | 'monthly_payout_limit_exceeded';

/** Returns the limit that a payout would exceed, the day's before the month's. */
export function whyOverLimit({ day, month }: Reservation, usage: LimitUsage): LimitRefusal | undefined {
  if (usedOf(day, usage.dayTotal) > day.room) return 'daily_payout_limit_exceeded';
  if (usedOf(month, usage.monthTotal) > month.room) return 'monthly_payout_limit_exceeded';
  return undefined;
}

/** Returns what is used of a period; 0 when the stored total is for a past one. */
export const usedOf = ({ running }: PeriodReservation, total: bigint): bigint => (running ? total : 0n);

/** Returns what is left of a limit; 0 when it was lowered below its use. */
export const leftOf = (limit: bigint, used: bigint): bigint => largest(limit - used, 0n);

/** Returns the smaller of what is left of today's and this month's limit. */
export function remainingLimit(
  limits: PayoutLimits,
  usage: LimitUsage,
  today: Pick<LocalTime, 'day' | 'month'>,
): bigint {
  const { day, month } = reservation(0n, limits, usage, today);
  const left = (share: PeriodReservation, total: bigint) => leftOf(share.room, usedOf(share, total));
  const [ofDay, ofMonth] = [left(day, usage.dayTotal), left(month, usage.monthTotal)];
  return ofDay < ofMonth ? ofDay : ofMonth;
}
