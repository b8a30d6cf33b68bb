import { csv } from '../../../lib/cli/csv.ts';
import type { Latest } from '../../../lib/latest.ts';
import { listPage } from '../../../lib/operator/lists/list.ts';
import { latestBefore, mergeLatest, pageOf } from '../../../lib/operator/trace/page.ts';
import type { TimelineStep } from '../../../lib/operator/trace/timeline.ts';
import { cursorText, readCursor } from '../../../lib/search/cursor.ts';
import { fillPage } from '../../../lib/search/fill-page.ts';
import { type Listing, listingOf } from '../../../lib/search/listing.ts';
import { searchPayments } from '../../../lib/search/search-payments.ts';
import { searchRefunds } from '../../../lib/search/search-refunds.ts';
import type { SearchPorts } from '../../../lib/search/search.ts';
import { unionOf } from '../../../lib/search/union.ts';
import { toMerchantId } from '../../../lib/ids.ts';
import { aCaller } from '../../support/api-event.ts';
import { aPayment, billId, paymentId } from '../../support/builders.ts';
import { aRefund } from '../../support/refunds.ts';
import type { World } from '../harness/world.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 12, minute));

/** A spreadsheet runs a cell that begins so, also where it splits one at a semicolon. */
export async function formulasInCsv(world: World): Promise<void> {
  const begun = ['=1+1', '+1', '-1', '@a', '\t=1', 'a;=1', 'a\n=1'];
  for (const cell of csv(
    ['a'],
    begun.map((each) => [each]),
  )
    .split('\n')
    .slice(1))
    if (/(?:^"?|;)\s*[=+\-@]/.test(cell)) world.violate('csv', 'a cell of a merchant is a formula');
}

/** Two of the lists give a row at a time, so that a page ends where one of them is not read yet. */
export async function pagesOfSeveralLists(world: World): Promise<void> {
  const items = (ids: string, from: number) =>
    listingOf(ids.split('').map((id, index) => ({ id, createdAt: at(from + index) })));
  const listing = unionOf([items('abc', 0), inShortPages(items('defgh', 1)), inShortPages(items('ij', 10))]);
  const found: string[] = [];
  let after: string | undefined;
  do {
    const window = { from: at(0), to: at(59) };
    const page = await listPage(listing, { window, after, limit: 2, matches: undefined });
    found.push(...page.items.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  const order = 'jihgf';
  if (found.length !== 10 || new Set(found).size !== 10 || !found.join('').startsWith(order))
    world.violate('list', `the pages of a list show ${found.join('')}`);
}

const inShortPages = <T>(listing: Listing<T>): Listing<T> => ({
  rows: (query) => listing.rows({ ...query, limit: 1 }),
  read: (rows) => listing.read(rows),
});

/** Two histories with several lines of one time, read in pages of two lines; the store leaves some of one out, which are no entries. */
export async function pagesOfATimeline(world: World): Promise<void> {
  const history = (id: string, minutes: readonly number[]): readonly TimelineStep[] =>
    minutes.map((minute, index) => ({ at: at(minute), id: `${id}${index}`, what: '' }));
  const others = history('x', [8, 8, 8]);
  const histories = [history('a', [1, 2, 2, 2, 9]), [...history('b', [2, 3, 4, 5, 6, 7]), ...others]];
  const found: string[] = [];
  let before: Date | undefined;
  do {
    const page = { before, limit: 2 };
    const query = latestBefore({ now: () => at(59) }, page);
    const read = histories.map((steps) => latestOf(steps, query));
    const shown = pageOf({ subjects: [], ...mergeLatest(read) }, page);
    found.unshift(...shown.steps.map(({ id }) => id));
    before = shown.earlier?.before instanceof Date ? shown.earlier.before : undefined;
  } while (before !== undefined);
  if (found.length !== 11 || new Set(found).size !== 11)
    world.violate('trace', `the pages of a timeline show ${found.join(' ')}`);
}

/** As the store reads a history. */
function latestOf(
  steps: readonly TimelineStep[],
  { before, limit }: { readonly before: Date; readonly limit: number },
): Latest<TimelineStep> {
  const known = steps.filter((step) => step.at.getTime() < before.getTime());
  const oldest = known.at(-(limit + 1));
  const items = known.filter((step) => step.at.getTime() >= (oldest?.at.getTime() ?? 0));
  return { items: items.filter(({ id }) => !id.startsWith('x')), completeFrom: oldest?.at };
}

const other = toMerchantId('AnotherMerchant1');
const searched = {
  caller: aCaller(),
  dates: { start: undefined, finish: undefined },
  perPage: 20,
  cursor: undefined,
};

/** A merchant who knows the id of another's bill or payment searches by it. */
export async function othersIdsInSearches(world: World): Promise<void> {
  const payments = listingOf([aPayment({ merchantId: other })]);
  const refunds = listingOf([aRefund({ merchantId: other })]);
  const ports: SearchPorts = {
    listings: {
      bills: () => listingOf([]),
      payments: () => payments,
      payouts: () => listingOf([]),
      refunds: () => refunds,
      events: () => listingOf([]),
      merchants: () => listingOf([]),
    },
    keyedListings: {
      billsOfOrder: async () => undefined,
      paymentsOfOrder: async () => payments,
      paymentsOfBill: async () => payments,
      payoutsOfOrder: async () => listingOf([]),
      refundsOf: async () => refunds,
    },
    listHistory: { incompleteBefore: async () => undefined, incompleteForAll: async () => undefined },
    now: () => new Date('2026-12-01T00:00:00Z'),
    timeZone: 'UTC',
  };
  const none = { shopId: undefined, orderId: undefined, status: undefined, method: undefined };
  const byBill = await searchPayments(ports, searched, { ...none, billId });
  if (!byBill.ok || byBill.value.items.length > 0)
    world.violate('search', 'a merchant finds the payments of a bill of another');
  for (const filters of [
    { paymentId, billId: undefined, status: undefined },
    { paymentId: undefined, billId, status: undefined },
  ]) {
    const found = await searchRefunds(ports, searched, filters);
    if (!found.ok || found.value.items.length > 0)
      world.violate('search', 'a merchant finds the refunds of another');
  }
}

/** A cursor belongs to the merchant and the filters that it was given for. */
export async function cursorsOfOtherSearches(world: World): Promise<void> {
  const key = { kind: 'bill', merchantId: 'one', filters: { status: 'NEW' } };
  const window = { from: at(0), to: at(59) };
  const text = cursorText(key, { window, place: { cut: at(5).toISOString(), direction: 'older' } });
  if (!readCursor(key, text)) world.violate('search', 'a cursor is refused');
  for (const another of [{ merchantId: 'two' }, { kind: 'payment' }, { filters: { status: 'FAIL' } }])
    if (readCursor({ ...key, ...another }, text))
      world.violate('search', `a cursor serves another search: ${Object.keys(another).join()}`);
}

/** Nothing in a long list matches. */
export async function filtersWithoutMatches(world: World): Promise<void> {
  const listing = listingOf(
    Array.from({ length: 3_000 }, (_, number) => ({ id: `n${number}`, createdAt: at(number % 50) })),
  );
  let read = 0;
  const counted: typeof listing = {
    rows: (query) => listing.rows(query),
    read(rows) {
      read += rows.length;
      return listing.read(rows);
    },
  };
  const window = { from: at(0), to: at(59) };
  const page = await fillPage(counted, { window, place: undefined, perPage: 20, matches: () => false });
  if (read > 1_000) world.violate('search', `a search reads ${read} items`);
  if (!page.next) world.violate('search', 'a search does not say that there is more');
}
