import { localTime, type Weekday } from './calendar.ts';

/** A merchant's standing order: at this hour, when at least this much is available, all of it goes to the account. */
export type AutoPayout = {
  readonly merchantId: string;
  readonly accountId: string;
  readonly thresholdMinor: bigint;
  readonly weekday: Weekday;
  /** 0 to 23, in the environment's time zone. */
  readonly hour: number;
  readonly nextAt: Date;
  readonly lastRun?: AutoRun | undefined;
};

/** What became of a run: the first payout's id, or why there was none. */
export type AutoRun = { readonly at: Date; readonly outcome: string };

const quarterMs = 15 * 60_000;
/** Two weeks: in the night when clocks go forward an hour is missing, and the next week has it again. */
const longestWait = 15 * 24 * 4;

/** The next time after `now` that the wall clock shows this weekday and hour. Zones differ by quarters of an hour. */
export function nextRun(
  { weekday, hour }: Pick<AutoPayout, 'weekday' | 'hour'>,
  now: Date,
  timeZone: string,
): Date {
  const first = Math.floor(now.getTime() / quarterMs) + 1;
  for (let quarter = first; quarter < first + longestWait; quarter += 1) {
    const at = new Date(quarter * quarterMs);
    const local = localTime(at, timeZone);
    if (local.weekday === weekday && local.hour === hour && local.minute === 0) return at;
  }
  throw new Error(`No ${weekday} ${hour}:00 within two weeks in ${timeZone}`);
}
