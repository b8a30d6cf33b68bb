import { Defect } from '../defect.ts';
import type { MerchantId } from '../ids.ts';
import { localTime, type Weekday } from './calendar.ts';

/** A merchant's standing order: at this hour, when at least this much is available, all of it goes to the account. */
export type AutoPayout = {
  readonly merchantId: MerchantId;
  readonly accountId: string;
  readonly thresholdMinor: bigint;
  readonly weekday: Weekday;
  /** 0 to 23, in the environment's time zone. */
  readonly hour: number;
  readonly nextAt: Date;
  readonly lastRun: AutoRun | undefined;
};

/** What became of a run: the first payout's id, or why there was none. */
export type AutoRun = { readonly at: Date; readonly outcome: string };

const quarterMs = 15 * 60_000;
/** Two weeks: in the night when clocks go forward an hour is missing, and the next week has it again. */
const longestWait = 15 * 24 * 4;
/** More than any zone puts its clocks back. */
const longestRepeat = 24 * 4;

type Hour = Pick<AutoPayout, 'weekday' | 'hour'>;

/**
 * When the clock on the wall next begins to show this weekday and hour. In the night when clocks go back it shows an
 * hour twice: the second time is no other hour. Zones differ by quarters of an hour.
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
