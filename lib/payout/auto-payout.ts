import { Defect } from '../defect.ts';
import type { AccountId, MerchantId } from '../ids.ts';
import { localTime, type Weekday } from './calendar.ts';

/** A merchant's standing order: at this hour, if at least the threshold is available, the whole balance is paid out. */
export type AutoPayout = {
  readonly merchantId: MerchantId;
  readonly accountId: AccountId;
  readonly thresholdMinor: bigint;
  readonly weekday: Weekday;
  /** 0 to 23, in the environment's time zone. */
  readonly hour: number;
  readonly nextAt: Date;
  readonly lastRun: AutoRun | undefined;
};

/** The outcome of a run: the id of the first payout, or the refusal. */
export type AutoRun = { readonly at: Date; readonly outcome: string };

const quarterMs = 15 * 60_000;
/** Two weeks, in quarters of an hour: the hour skipped when clocks go forward exists again a week later. */
const longestWait = 15 * 24 * 4;
/** Longer than any zone sets its clocks back, in quarters of an hour. */
const longestRepeat = 24 * 4;

type Hour = Pick<AutoPayout, 'weekday' | 'hour'>;

/**
 * Returns the next start of this weekday and hour in local time. When clocks go back an hour occurs twice; only its
 * first occurrence counts. Works in quarters of an hour, the granularity of time zone offsets.
 */
export function nextRun(wanted: Hour, now: Date, timeZone: string): Date {
  const localAt = (quarter: number) => localTime(new Date(quarter * quarterMs), timeZone);
  const begins = (quarter: number): boolean => {
    const { day, weekday, hour } = localAt(quarter);
    if (weekday !== wanted.weekday || hour !== wanted.hour) return false;
    const before = Array.from({ length: longestRepeat }, (_, back) => localAt(quarter - 1 - back));
    return !before.some((earlier) => earlier.day === day && earlier.hour === hour);
  };
  const first = Math.floor(now.getTime() / quarterMs) + 1;
  for (let quarter = first; quarter < first + longestWait; quarter += 1) {
    if (begins(quarter)) return new Date(quarter * quarterMs);
  }
  throw new Defect(
    'AUTO_PAYOUT_HOUR_MISSING',
    `No ${wanted.weekday} ${wanted.hour}:00 within two weeks in ${timeZone}`,
  );
}
