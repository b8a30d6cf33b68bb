import { localTime } from '../payout/calendar.ts';
import { dayOf } from '../reconciliation/day.ts';
import type { Window } from './listing.ts';

/** `2026-11-21` or `2026-11-21 12:34:56`, in the environment's time zone. */
export type Dates = { readonly start: string | undefined; readonly finish: string | undefined };

const dayMs = 24 * 3600_000;
/** Clocks of functions differ: what another one has just created is in a window that ends now. */
const aheadMs = 60_000;
/** Before any item of this service. */
const beginning = new Date('2020-01-01T00:00:00.000Z');

/**
 * Returns the window of a search; undefined when the finish is before the start. A date is a whole day, the finish included; without dates
 * it is the last 30 days, or all time for what is found by a key. Times in which nothing can have been created are left out, because each
 * month of a window is read.
 */
export function windowOf(
  { start, finish }: Dates,
  { now, timeZone, isKeyed }: { readonly now: Date; readonly timeZone: string; readonly isKeyed: boolean },
): Window | undefined {
  const end = finish === undefined ? undefined : endOf(finish, timeZone);
  const begin = start === undefined ? undefined : startOf(start, timeZone);
  if (begin && end && begin >= end) return undefined;
  const latest = new Date(now.getTime() + aheadMs);
  const to = end && end < latest ? end : latest;
  const usual = isKeyed ? beginning : new Date(to.getTime() - 30 * dayMs);
  const from = begin && begin < beginning ? beginning : (begin ?? usual);
  return { from: from < to ? from : to, to };
}

const isDay = (text: string): boolean => text.length === 'YYYY-MM-DD'.length;
const startOf = (text: string, timeZone: string): Date =>
  isDay(text) ? dayOf(text, timeZone).from : instantOf(text, timeZone);
const endOf = (text: string, timeZone: string): Date =>
  isDay(text) ? dayOf(text, timeZone).to : new Date(instantOf(text, timeZone).getTime() + 1000);

/** Returns the instant of a local time. The difference to UTC is taken at the instant itself, so a clock change is no error. */
function instantOf(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local.replace(' ', 'T')}.000Z`);
  const first = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(first, timeZone));
}

/** How far local time is ahead of UTC, in whole minutes. */
function offsetAt(at: number, timeZone: string): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  const { day, hour, minute: minutes } = localTime(new Date(at), timeZone);
  return Date.parse(`${day}T00:00:00.000Z`) + (hour * 60 + minutes) * 60_000 - minute;
}
