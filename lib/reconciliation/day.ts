import { localTime } from '../payout/calendar.ts';

/** A calendar day in a time zone: `from` is its first millisecond, `to` that of the next day. Its length may be 23 or 25 hours. */
export type Day = {
  /** `2026-11-20` */
  readonly date: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
};

/** A time span: `from <= at < to`. */
export type Period = { readonly from: Date; readonly to: Date };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How far from midnight a movement is matched with the neighbouring day. */
export const edgeMs = 15 * minuteMs;

/** Returns the text if it is a date of the calendar. */
export function readDate(text: string): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : undefined;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

/** Returns the date so many days later; earlier when negative. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10);

/** Returns the day of this date in the time zone. */
export const dayOf = (date: string, timeZone: string): Day => ({
  date,
  timeZone,
  from: startOf(date, timeZone),
  to: startOf(dateAfter(date, 1), timeZone),
});

/** Finds the first millisecond of the date by bisection: the local date never decreases with time by more than a clock change. */
function startOf(date: string, timeZone: string): Date {
  const utc = Date.parse(`${date}T00:00:00.000Z`);
  // Time zones are between UTC−12 and UTC+14.
  let [before, from] = [utc - 15 * hourMs, utc + 13 * hourMs];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localTime(new Date(middle), timeZone).day >= date) from = middle;
    else before = middle;
  }
  return new Date(from);
}

/**
 * Returns the day, extended back to where the day before ended. They differ when the record's time zone was changed to one further
 * west: without this the hours between the two would belong to no day.
 */
export function joinedTo(day: Day, previous: Pick<Day, 'to'> | undefined): Day {
  const gapMs = previous ? day.from.getTime() - previous.to.getTime() : 0;
  return previous && gapMs > 0 && gapMs <= dayMs ? { ...day, from: previous.to } : day;
}

/** Returns the day with its edges, in parts of an hour, oldest first. */
export function partsOf({ from, to }: Period): readonly Period[] {
  const parts: Period[] = [];
  const end = to.getTime() + edgeMs;
  for (let at = from.getTime() - edgeMs; at < end; at += hourMs) {
    parts.push({ from: new Date(at), to: new Date(Math.min(at + hourMs, end)) });
  }
  return parts;
}

export const isWithin = ({ from, to }: Period, at: Date): boolean => at >= from && at < to;
/** Whether the time is in the day or its edges, where its movements are matched. */
export const isMatchedIn = ({ from, to }: Period, at: Date): boolean =>
  at.getTime() >= from.getTime() - edgeMs && at.getTime() < to.getTime() + edgeMs;
