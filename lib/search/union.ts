import { inParallel } from '../reconciliation/in-parallel.ts';
import {
  beyondRow,
  type Cut,
  type Direction,
  type Listing,
  type Position,
  type RowQuery,
  type Rows,
} from './listing.ts';

/** As many lists as are read at a time. */
const atOnce = 16;

/**
 * Returns one list of the items of several, such as those of all merchants. Every list is read as far as each page reaches, so the number
 * of reads grows with the number of lists: for the operator alone.
 */
export function unionOf<T>(listings: readonly Listing<T>[]): Listing<T> {
  const sources = new Map<Position, Listing<T>>();
  return {
    async rows(query) {
      const parts: Rows[] = [];
      await inParallel(listings, atOnce, async (listing) => {
        const part = await listing.rows(query);
        for (const row of part.rows) sources.set(row, listing);
        parts.push(part);
      });
      return merged(parts, query);
    },
    async read(rows) {
      const items = new Map<Position, T>();
      const bySource = Map.groupBy(rows, (row) => sources.get(row));
      await inParallel([...bySource], atOnce, async ([listing, own]) => {
        for (const [row, item] of (await listing?.read(own)) ?? []) items.set(row, item);
      });
      return items;
    },
  };
}

/** The rows of all parts, as far as all of them were read. */
function merged(parts: readonly Rows[], { direction, limit }: RowQuery): Rows {
  const reached = nearest(
    parts.flatMap((part) => part.reached ?? []),
    direction,
  );
  const ascending = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => reached === undefined || (direction === 'older' ? row >= reached : row < reached))
    .toSorted();
  const found = direction === 'older' ? ascending.toReversed() : ascending;
  const rows = found.slice(0, limit);
  return { rows, reached: found.length > limit ? beyondRow(rows.at(-1), direction) : reached };
}

/** Of the cuts that the lists reached, the one where reading must go on: beyond it one of them is not read yet. */
function nearest(cuts: readonly Cut[], direction: Direction): Cut | undefined {
  const ascending = cuts.toSorted();
  return direction === 'older' ? ascending.at(-1) : ascending[0];
}
