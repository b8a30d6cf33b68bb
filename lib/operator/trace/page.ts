import type { PaymentId } from '../../ids.ts';
import { type Latest, type LatestQuery, latestTime } from '../../latest.ts';
import type { Timeline, TimelineStep, TracePorts } from './timeline.ts';

/** Which part of a timeline to show: the latest `limit` lines before a time, or of a bill the payments before one of its payments. Of an order: the bills before a time. */
export type TracePage = { readonly before: Date | PaymentId | undefined; readonly limit: number };

/** What a page leaves out, and the `before` with which the next page shows the latest of it. */
export type Earlier = {
  readonly of: 'lines' | 'payments' | 'bills';
  /** Undefined: they were not counted. */
  readonly count: number | undefined;
  readonly before: Date | PaymentId;
};

export type TracedPage = Timeline & { readonly earlier: Earlier | undefined };

/** A timeline as far as it was read: all since `completeFrom`. */
type Read = Pick<Timeline, 'subjects'> & Latest<TimelineStep>;

/**
 * Returns the latest lines before the page's time, as many as its limit; more where several have the time of the first one, so that the
 * page before ends exactly there.
 */
export function pageOf({ subjects, items, completeFrom }: Read, { limit, before }: TracePage): TracedPage {
  const until = before instanceof Date ? before.getTime() : Infinity;
  const known = items
    .filter(({ at }) => at.getTime() < until)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = known[Math.max(0, known.length - limit)];
  const shown = first === undefined ? [] : known.filter(({ at }) => at.getTime() >= first.at.getTime());
  const count = known.length - shown.length;
  // Where everything that was read is shown, the rest begins where reading ended.
  const rest = count > 0 ? first?.at : completeFrom;
  const earlier = rest && ({ of: 'lines', count: completeFrom ? undefined : count, before: rest } as const);
  return { subjects, steps: shown, earlier };
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

/** Merges histories as far as each of them was read. */
export function mergeLatest(histories: readonly Latest<TimelineStep>[]): Latest<TimelineStep> {
  const completeFrom = latestTime(histories.flatMap((history) => history.completeFrom ?? []));
  const all = histories.flatMap(({ items }) => items);
  const items = all.filter(({ at }) => at.getTime() >= (completeFrom?.getTime() ?? 0));
  return { items, completeFrom };
}
