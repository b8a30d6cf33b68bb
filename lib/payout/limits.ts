import { largest } from '../money/money.ts';
import type { LocalTime } from './calendar.ts';

/** What the payouts of a balance have used of its limits; a day or month that is over counts no more. */
export type LimitUsage = {
  readonly day: string | undefined;
  readonly dayTotal: bigint;
  readonly month: string | undefined;
  readonly monthTotal: bigint;
  /** What each rule let go on its day. It is never given back: a rule is not asked again about the same money. */
  readonly byRule?: Readonly<Record<PayoutRule, RuleUsage>> | undefined;
};

/** What lets a payout go without a moderator. */
export const payoutRules = ['auto_approve_up_to', 'auto_approve_known_accounts'] as const;
export type PayoutRule = (typeof payoutRules)[number];
type RuleUsage = { readonly day: string | undefined; readonly total: bigint };

export type PayoutLimits = { readonly dayLimitMinor: bigint; readonly monthLimitMinor: bigint };

/** How a payout counts: the period, what it takes, and the most that may be used before it so that it fits. */
export type PeriodReservation = {
  readonly period: string;
  /** The balance counts this very period already. */
  readonly running: boolean;
  readonly amountMinor: bigint;
  readonly room: bigint;
};

export type Reservation = { readonly day: PeriodReservation; readonly month: PeriodReservation };

/** The part of the limits that a payout of this amount takes. Another server's clock may be past midnight already. */
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

/** Which limit a payout would pass, the day's before the month's. */
export function whyOverLimit({ day, month }: Reservation, usage: LimitUsage): LimitRefusal | undefined {
  if (usedOf(day, usage.dayTotal) > day.room) return 'daily_payout_limit_exceeded';
  if (usedOf(month, usage.monthTotal) > month.room) return 'monthly_payout_limit_exceeded';
  return undefined;
}

/** What is used of a period; one that is over counts no more. */
export const usedOf = ({ running }: PeriodReservation, total: bigint): bigint => (running ? total : 0n);

/** What is left of a limit; it may have been lowered since it was used. */
export const leftOf = (limit: bigint, used: bigint): bigint => largest(limit - used, 0n);

/** What is left of both limits today. */
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
