import { localTime } from '../payout/calendar.ts';
import { dateAfter, dayOf } from '../reconciliation/day.ts';

/**
 * A day as it is sealed: `from <= at < to`. Usually a calendar day of the time zone. When the record's zone is changed, the day that is under
 * way begins where the last sealed one ended, so it may be shorter or longer; no moment belongs to two days or to none.
 */
export type SealedDay = {
  /** `2026-11-20`; later than that of every day sealed before. */
  readonly date: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
};

/** Up to where something is sealed, and the date of the day that ended there. */
export type SealedTo = { readonly to: Date; readonly date: string };

/** How long after its end a day is sealed. No entry is written so long after the time that it carries. */
export const sealingDelayMs = 60 * 60_000;

/** Returns the day that contains `at`, after all that is sealed. Throws nothing: `at` is not before `sealed.to`. */
export function dayContaining(at: Date, sealed: SealedTo | undefined, timeZone: string): SealedDay {
  const local = localTime(at, timeZone).day;
  const next = sealed && dateAfter(sealed.date, 1);
  // The calendar may show a sealed date again after a change to a zone further west: those hours belong to the next date.
  const date = next !== undefined && local <= next ? next : local;
  const { from, to } = dayOf(date, timeZone);
  const isNext = date === next;
  return { date, timeZone, from: sealed && (isNext || sealed.to > from) ? sealed.to : from, to };
}

/**
 * Returns up to where everything can be sealed now: the end of the last day that ended an hour ago; undefined when nothing has become due
 * since the last time.
 */
export function dueUntil(now: Date, sealed: SealedTo | undefined, timeZone: string): SealedTo | undefined {
  const today = localTime(new Date(now.getTime() - sealingDelayMs), timeZone).day;
  const due = { to: dayOf(today, timeZone).from, date: dateAfter(today, -1) };
  if (!sealed) return due;
  return dayContaining(sealed.to, sealed, timeZone).to <= due.to ? due : undefined;
}
