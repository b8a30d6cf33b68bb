import {
  beyondRow,
  type Cut,
  cutAfter,
  cutAt,
  type Direction,
  type Listing,
  type Position,
  type Window,
} from './listing.ts';

/** What a cursor says: to go on from this cut in this direction. */
export type Place = { readonly cut: Cut; readonly direction: Direction };

export type PageQuery<T> = {
  readonly window: Window;
  /** Undefined: the first page. */
  readonly place: Place | undefined;
  readonly perPage: number;
  /** Undefined: every item. */
  readonly matches: ((item: T) => boolean) | undefined;
};

export type Page<T> = {
  /** Newest first. */
  readonly items: readonly T[];
  readonly next: Place | undefined;
  readonly previous: Place | undefined;
};

/** The most rows that one call reads to fill a page with those that match. */
export const mostExamined = 1_000;
/** As many as one batch read takes. A search with filters begins with as many rows as its page has and doubles up to this. */
const atOnce = 100;

/**
 * Returns one page of a list. Items that do not match count towards the most that a call reads: a page that it does not fill has a `next`
 * all the same while there is more to read. Where everything matches, nothing is read beyond the page.
 */
export async function fillPage<T>(listing: Listing<T>, query: PageQuery<T>): Promise<Page<T>> {
  const { window, perPage, place } = query;
  const { cut, direction } = place ?? { cut: cutAt(window.to), direction: 'older' };
  const { found, reached } = await collect(listing, query, { cut, direction });
  const taken = found.slice(0, perPage);
  const edge = found.length > perPage ? beyondRow(taken.at(-1)?.row, direction) : reached;
  const onward = edge === undefined ? undefined : { cut: edge, direction };
  const back = place && behind(taken[0]?.row, { cut, direction });
  return direction === 'older'
    ? { items: taken.map(({ item }) => item), next: onward, previous: back }
    : { items: taken.map(({ item }) => item).toReversed(), next: back, previous: onward };
}

/** The place that leads back to the page before: the other side of the first row, or of the cut where no row was found. */
const behind = (first: Position | undefined, { cut, direction }: Place): Place =>
  direction === 'older'
    ? { cut: first === undefined ? cut : cutAfter(first), direction: 'newer' }
    : { cut: first ?? cut, direction: 'older' };

type Found<T> = { readonly row: Position; readonly item: T };
type Collected<T> = { readonly found: readonly Found<T>[]; readonly reached: Cut | undefined };

/** Collects up to one item more than the page has. `reached` is where to go on; undefined at the end of the window. */
async function collect<T>(
  listing: Listing<T>,
  { window, perPage, matches }: PageQuery<T>,
  { cut, direction }: Place,
): Promise<Collected<T>> {
  const found: Found<T>[] = [];
  let reached: Cut | undefined = cut;
  let examined = 0;
  let batch = Math.min(perPage + 1, atOnce);
  while (reached !== undefined && found.length <= perPage && examined < mostExamined) {
    const room = perPage - found.length;
    const limit = matches ? Math.min(batch, mostExamined - examined) : room + 1;
    const page = await listing.rows({ window, cut: reached, direction, limit });
    const rows = matches ? page.rows : page.rows.slice(0, room);
    const items = await listing.read(rows);
    for (const row of rows) {
      const item = items.get(row);
      if (item !== undefined && (matches?.(item) ?? true)) found.push({ row, item });
    }
    if (rows.length < page.rows.length)
      return { found, reached: beyondRow(rows.at(-1), direction) ?? reached };
    examined += page.rows.length;
    batch = Math.min(batch * 2, atOnce);
    reached = page.reached;
    // Nothing in the months that one call visits.
    if (page.rows.length === 0) break;
  }
  return { found, reached };
}
