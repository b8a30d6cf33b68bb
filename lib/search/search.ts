import type { Caller } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import { cursorText, readCursor, type SearchKey } from './cursor.ts';
import { fillPage, type Place } from './fill-page.ts';
import type { Listing } from './listing.ts';
import type { KeyedListings, ListHistory, Listings } from './ports.ts';
import { type Dates, windowOf } from './window.ts';

export type SearchPorts = {
  readonly listings: Listings;
  readonly keyedListings: KeyedListings;
  readonly listHistory: ListHistory;
  readonly now: () => Date;
  readonly timeZone: string;
};

/** The fields that every search has. */
export type SearchQuery = {
  readonly caller: Caller;
  readonly dates: Dates;
  readonly perPage: number;
  readonly cursor: string | undefined;
};

export type SearchRefusal = 'unknown_cursor' | 'finish_before_start';

/** One page of a search, newest first. */
export type Found<T> = {
  readonly items: readonly T[];
  readonly perPage: number;
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** What was created before may be missing, until the older items have their keys; undefined: nothing is. */
  readonly incompleteBefore: Date | undefined;
};

/** What is searched: by a key where the caller gave one that leads to few items, else the merchant's list. */
export type Source<T> = {
  readonly kind: 'bill' | 'payment' | 'payout' | 'refund';
  /** All filters that the caller gave. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Looks up by a key; undefined without one. The result is undefined when there are too many items under it. */
  readonly keyed: (() => Promise<Listing<T> | undefined>) | undefined;
  /** Whether what the key leads to is complete before older items have their keys. */
  readonly isComplete: boolean;
  readonly list: Listing<T>;
  /** Undefined: the search has no filter that the list does not apply. */
  readonly matches: ((item: T) => boolean) | undefined;
};

/** Returns one page of what the caller searches for. */
export async function search<T>(
  { listHistory, now, timeZone }: Pick<SearchPorts, 'listHistory' | 'now' | 'timeZone'>,
  { caller: { merchantId }, dates, perPage, cursor }: SearchQuery,
  { kind, filters, keyed, isComplete, list, matches }: Source<T>,
): Promise<Result<Found<T>, SearchRefusal>> {
  const key: SearchKey = { kind, merchantId, filters: { ...filters, ...dates } };
  const continued = cursor === undefined ? undefined : readCursor(key, cursor);
  if (cursor !== undefined && !continued) return fail('unknown_cursor');
  const window = continued?.window ?? windowOf(dates, { now: now(), timeZone, isKeyed: keyed !== undefined });
  if (!window) return fail('finish_before_start');

  const found = await keyed?.();
  const [page, incompleteBefore] = await Promise.all([
    fillPage(found ?? list, { window, place: continued?.place, perPage, matches }),
    found && isComplete ? undefined : listHistory.incompleteBefore(merchantId, now()),
  ]);
  const cursorOf = (place: Place | undefined) => place && cursorText(key, { window, place });
  return ok({
    items: page.items,
    perPage,
    next: cursorOf(page.next),
    previous: cursorOf(page.previous),
    // A window that begins later has everything.
    incompleteBefore: incompleteBefore && window.from < incompleteBefore ? incompleteBefore : undefined,
  });
}

/** Returns a filter for all conditions whose value was given; undefined when none was. */
export function matching<T>(
  conditions: readonly (readonly [given: unknown, holds: (item: T) => boolean])[],
): ((item: T) => boolean) | undefined {
  const given = conditions.filter(([value]) => value !== undefined).map(([, holds]) => holds);
  return given.length === 0 ? undefined : (item) => given.every((holds) => holds(item));
}
