/** Where an item is in its list: creation time as ISO text, `#`, id. The order of these texts is the order of the list. */
export type Position = string;

/** A place between two positions: `older` than the cut is what is less than this text, `newer` is the rest. */
export type Cut = string;
export type Direction = 'older' | 'newer';

/** Created at `from` or later, and before `to`. */
export type Window = { readonly from: Date; readonly to: Date };

export type RowQuery = {
  readonly window: Window;
  readonly cut: Cut;
  /** Rows are read away from the cut: `older` newest first, `newer` oldest first. */
  readonly direction: Direction;
  readonly limit: number;
};

export type Rows = {
  readonly rows: readonly Position[];
  /** The cut to go on from in the same direction; undefined at the end of the window. Without rows there may still be some beyond. */
  readonly reached: Cut | undefined;
};

/** A list of items by creation time. */
export interface Listing<T> {
  /** The next rows, at most `limit`. They may lag behind what was written by moments. */
  rows(query: RowQuery): Promise<Rows>;
  /** The items of these rows, strongly consistent. */
  read(rows: readonly Position[]): Promise<ReadonlyMap<Position, T>>;
}

type Listed = { readonly id: string; readonly createdAt: Date };

export const positionOf = ({ id, createdAt }: Listed): Position => `${createdAt.toISOString()}#${id}`;
export const idAt = (position: Position): string => position.slice(position.indexOf('#') + 1);

/** The cut right after a row, with the row on its older side. A space sorts before every character of an id. */
export const cutAfter = (position: Position): Cut => `${position} `;
/** The cut at a time: what was created then is on its newer side. */
export const cutAt = (at: Date): Cut => at.toISOString();
/** The cut beyond a row that was read. */
export const beyondRow = (row: Position | undefined, direction: Direction): Cut | undefined =>
  row !== undefined && direction === 'newer' ? cutAfter(row) : row;

/** A list whose rows are all known. */
export function listingOfRows<T>(positions: readonly Position[], read: Listing<T>['read']): Listing<T> {
  const ascending = [...new Set(positions)].toSorted();
  return {
    async rows({ window, cut, direction, limit }) {
      const inside = ascending.filter((row) => row >= cutAt(window.from) && row < cutAt(window.to));
      const beyond =
        direction === 'older'
          ? inside.filter((row) => row < cut).toReversed()
          : inside.filter((row) => row >= cut);
      const rows = beyond.slice(0, limit);
      return { rows, reached: beyond.length > limit ? beyondRow(rows.at(-1), direction) : undefined };
    },
    read,
  };
}

/** A list of items that are in memory. */
export function listingOf<T extends Listed>(items: readonly T[]): Listing<T> {
  const byPosition = new Map(items.map((item) => [positionOf(item), item]));
  return listingOfRows([...byPosition.keys()], async () => byPosition);
}
