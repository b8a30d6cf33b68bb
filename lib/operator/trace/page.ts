import type { PaymentId } from '../../ids.ts';
import type { Latest, LatestQuery } from '../../latest.ts';
import type { Timeline, TimelineStep, TracePorts } from './timeline.ts';

/** Which part of a timeline to show: the latest `limit` lines before a time, or of a bill the payments before one of its payments. */
export type TracePage = { readonly before: Date | PaymentId | undefined; readonly limit: number };

/** What a page leaves out, and the `before` with which the next page shows the latest of it. */
export type Earlier = {
  readonly of: 'lines' | 'payments';
  /** Undefined: they were not counted. */
  readonly count: number | undefined;
  readonly before: Date | PaymentId;
};

export type TracedPage = Timeline & { readonly earlier: Earlier | undefined };

/** A timeline as far as it was read. `more`: there are earlier lines that were not read, and more than the limit that were. */
type Read = Timeline & { readonly more: boolean };

/**
 * Returns the latest lines before the page's time, as many as its limit; more where several have the time of the first one, so that the
 * page before ends exactly there.
 */
export function pageOf({ subjects, steps, more }: Read, { limit, before }: TracePage): TracedPage {
  const until = before instanceof Date ? before.getTime() : Infinity;
  const known = steps
    .filter(({ at }) => at.getTime() < until)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = known[Math.max(0, known.length - limit)];
  const shown = first === undefined ? [] : known.filter(({ at }) => at.getTime() >= first.at.getTime());
  return {
    subjects,
    steps: shown,
    earlier: earlierThan(shown, { more, count: known.length - shown.length }),
  };
}

function earlierThan(
  [first]: readonly TimelineStep[],
  { more, count }: { readonly more: boolean; readonly count: number },
): Earlier | undefined {
  if (first === undefined || (count === 0 && !more)) return undefined;
  return { of: 'lines', count: more ? undefined : count, before: first.at };
}

const aDayMs = 86_400_000;

/** Returns the query for a history's latest before the page. Clocks differ: without a time it begins a day from now. */
export const latestBefore = (
  { now }: Pick<TracePorts, 'now'>,
  { before, limit }: TracePage,
): LatestQuery => ({
  before: before instanceof Date ? before : new Date(now().getTime() + aDayMs),
  limit,
});

/** Merges histories from the time on from which each of them was read completely. */
export function mergeLatest(histories: readonly Latest<TimelineStep>[]): Pick<Read, 'steps' | 'more'> {
  const cut = histories.filter(({ more }) => more);
  const completeFrom = Math.max(...cut.map(({ items: [oldest] }) => oldest?.at.getTime() ?? -Infinity));
  const steps = histories.flatMap(({ items }) => items).filter(({ at }) => at.getTime() >= completeFrom);
  return { steps, more: cut.length > 0 };
}
