import { describe, expect, it } from 'vitest';
import { fillPage, mostExamined, type Page, type PageQuery } from '../../lib/search/fill-page.ts';
import { type Listing, listingOf } from '../../lib/search/listing.ts';

type Thing = { readonly id: string; readonly createdAt: Date; readonly number: number };

const start = Date.parse('2026-11-21T12:00:00Z');
const window = { from: new Date(start), to: new Date(start + 3600_000) };

/** So many things, a second apart, the oldest first; two of each time. */
const things = (count: number): readonly Thing[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `thing${String(number).padStart(5, '0')}`,
    createdAt: new Date(start + Math.floor(number / 2) * 1000),
    number,
  }));

const page = (listing: Listing<Thing>, query: Partial<PageQuery<Thing>> = {}): Promise<Page<Thing>> =>
  fillPage(listing, { window, place: undefined, perPage: 3, matches: undefined, ...query });

const numbers = ({ items }: Page<Thing>): readonly number[] => items.map(({ number }) => number);

async function everyPage(listing: Listing<Thing>, query: Partial<PageQuery<Thing>> = {}) {
  const pages = [await page(listing, query)];
  for (let last = pages[0]; last?.next; last = pages.at(-1))
    pages.push(await page(listing, { ...query, place: last.next }));
  return pages;
}

describe('a page of a list', () => {
  it('is newest first, and its next pages have the rest, each once', async () => {
    const pages = await everyPage(listingOf(things(8)));
    expect(pages.map(numbers)).toEqual([
      [7, 6, 5],
      [4, 3, 2],
      [1, 0],
    ]);
  });

  it('has no next page when it ends with the last item', async () => {
    const pages = await everyPage(listingOf(things(6)));
    expect(pages.map(numbers)).toEqual([
      [5, 4, 3],
      [2, 1, 0],
    ]);
  });

  it('leads back to the page before, which has the same items', async () => {
    const listing = listingOf(things(8));
    const [first, second, third] = await everyPage(listing);
    const back = await page(listing, { place: third?.previous });
    expect(numbers(back)).toEqual([4, 3, 2]);
    expect(numbers(await page(listing, { place: back.next }))).toEqual([1, 0]);
    expect(numbers(await page(listing, { place: second?.previous }))).toEqual([7, 6, 5]);
    expect(first?.previous).toBeUndefined();
  });

  it('leads back from an empty page to everything before it', async () => {
    const listing = listingOf(things(2));
    const beyond = await page(listing, { place: { cut: window.from.toISOString(), direction: 'older' } });
    expect(numbers(beyond)).toEqual([]);
    expect(numbers(await page(listing, { place: beyond.previous }))).toEqual([1, 0]);
  });

  it('has what matches, however many items lie between', async () => {
    const pages = await everyPage(listingOf(things(900)), { matches: ({ number }) => number % 100 === 0 });
    expect(pages.map(numbers)).toEqual([
      [800, 700, 600],
      [500, 400, 300],
      [200, 100, 0],
    ]);
  });

  it('ends after a thousand items that do not match, and says where to go on', async () => {
    const reads: number[] = [];
    const listing = counting(listingOf(things(2_500)), reads);
    const first = await page(listing, { matches: ({ number }) => number === 7 });
    expect(reads.reduce((one, other) => one + other)).toBe(mostExamined);
    expect(numbers(first)).toEqual([]);
    const rest = await everyPage(listing, { place: first.next, matches: ({ number }) => number === 7 });
    expect(rest.map(numbers)).toEqual([[], [7]]);
  });

  it('reads little where a filter matches often, and more with each read where it does not', async () => {
    const reads: number[] = [];
    const listing = counting(listingOf(things(900)), reads);
    await page(listing, { matches: () => true });
    expect(reads).toEqual([4]);
    await page(listing, { matches: ({ number }) => number < 600 });
    expect(reads).toEqual([4, 4, 8, 16, 32, 64, 100, 100]);
  });

  it('reads nothing beyond the page when everything matches', async () => {
    const reads: number[] = [];
    await page(counting(listingOf(things(8)), reads));
    expect(reads).toEqual([3]);
  });

  it('has only what was created in the window', async () => {
    const narrow = { from: new Date(start + 1000), to: new Date(start + 3000) };
    expect(numbers(await page(listingOf(things(20)), { window: narrow, perPage: 9 }))).toEqual([5, 4, 3, 2]);
  });
});

function counting(listing: Listing<Thing>, reads: number[]): Listing<Thing> {
  return {
    rows: (query) => listing.rows(query),
    read(rows) {
      reads.push(rows.length);
      return listing.read(rows);
    },
  };
}
