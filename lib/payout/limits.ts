import { largest } from '../money/money.ts';
import type { LocalTime } from './calendar.ts';

/** The running totals of a balance, as they lie beside it; a day or month that is over counts no more. */
export type Spent = {
  readonly day?: string | undefined;
  readonly dayTotal: bigint;
  readonly month?: string | undefined;
  readonly monthTotal: bigint;
};

export type PayoutLimits = { readonly dayLimitMinor: bigint; readonly monthLimitMinor: bigint };

/** How a payout counts: the period, what was spent in it, and the most that may have been for this payout to fit. */
export type PeriodShare = {
  readonly period: string;
  /** The balance counts this very period already. */
  readonly running: boolean;
  readonly amountMinor: bigint;
  readonly room: bigint;
};

export type Reservation = { readonly day: PeriodShare; readonly month: PeriodShare };

/** The part of the limits that a payout of this amount takes. Another server's clock may be past midnight already. */
export function reservation(
  amountMinor: bigint,
  { dayLimitMinor, monthLimitMinor }: PayoutLimits,
  spent: Spent,
  today: Pick<LocalTime, 'day' | 'month'>,
): Reservation {
  const share = (now: string, counted: string | undefined, limit: bigint): PeriodShare => {
    const period = counted !== undefined && counted > now ? counted : now;
    return { period, running: counted === period, amountMinor, room: limit - amountMinor };
  };
  return {
    day: share(today.day, spent.day, dayLimitMinor),
    month: share(today.month, spent.month, monthLimitMinor),
  };
}

export type LimitRefusal = 'daily_payout_limit_exceeded' | 'monthly_payout_limit_exceeded';

/** Which limit a payout would pass, the day's before the month's. */
export function whyOverLimit({ day, month }: Reservation, spent: Spent): LimitRefusal | undefined {
  if (spentIn(day, spent.dayTotal) > day.room) return 'daily_payout_limit_exceeded';
  if (spentIn(month, spent.monthTotal) > month.room) return 'monthly_payout_limit_exceeded';
  return undefined;
}

const spentIn = ({ running }: PeriodShare, total: bigint): bigint => (running ? total : 0n);

/** What is left of both limits today. */
export function roomLeft(
  limits: PayoutLimits,
  spent: Spent,
  today: Pick<LocalTime, 'day' | 'month'>,
): bigint {
  const { day, month } = reservation(0n, limits, spent, today);
  const left = (share: PeriodShare, total: bigint) => largest(share.room - spentIn(share, total), 0n);
  const [ofDay, ofMonth] = [left(day, spent.dayTotal), left(month, spent.monthTotal)];
  return ofDay < ofMonth ? ofDay : ofMonth;
}
