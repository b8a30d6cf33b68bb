import type { Mutant } from './mutant.ts';

const csv = 'lib/cli/csv.ts';
const union = 'lib/search/union.ts';
const page = 'lib/operator/trace/page.ts';
const formulas = { scenario: 'a list in CSV has no formula' } as const;
const lists = { scenario: 'the pages of several lists show each item once' } as const;
const timelines = { scenario: 'the pages of a timeline show each line once' } as const;

const searches = { scenario: 'a search by the id of another merchant finds nothing' } as const;
const cursors = { scenario: 'a cursor serves its own search alone' } as const;

/** The operator's lists and timelines, and the merchant's searches. */
export const listMutants: readonly Mutant[] = [
  {
    name: 'csv-formula',
    guard: 'a cell that begins as a formula is defused',
    patches: [{ file: csv, find: 'defused(textOf(value)).replaceAll', put: 'textOf(value).replaceAll' }],
    by: formulas,
  },
  {
    name: 'csv-formula-within',
    guard: 'a cell is defused where spreadsheets may split it',
    patches: [{ file: csv, find: String.raw`(^|[;\t\r\n])`, put: '(^)' }],
    by: formulas,
  },
  {
    name: 'list-not-read',
    guard: 'a page of several lists ends where one of them was not read further',
    patches: [
      { file: union, find: "(direction === 'older' ? row >= reached : row < reached)", put: 'reached' },
    ],
    by: lists,
  },
  {
    name: 'list-reached-last',
    guard: 'reading several lists goes on at the nearest place that one of them reached',
    patches: [
      {
        file: union,
        find: "direction === 'older' ? ascending.at(-1)",
        put: "direction === 'older' ? ascending[0]",
      },
    ],
    by: lists,
  },
  {
    name: 'timeline-not-read',
    guard: 'a page of a timeline begins where each of its histories was read completely',
    patches: [
      { file: page, find: 'at.getTime() >= (completeFrom?.getTime() ?? 0)', put: 'at.getTime() >= 0' },
    ],
    by: timelines,
  },
  {
    name: 'timeline-one-time',
    guard: 'the lines of one time are on one page',
    patches: [
      {
        file: page,
        find: 'known.filter(({ at }) => at.getTime() >= first.at.getTime())',
        put: 'known.slice(-limit)',
      },
    ],
    by: timelines,
  },
  {
    name: 'search-bill-of-another',
    guard: 'a search by bill_id finds the payments of the merchant alone',
    patches: [
      {
        file: 'lib/search/search-payments.ts',
        find: 'payment.billId === billId && payment.merchantId === merchantId',
        put: 'payment.billId === billId',
      },
    ],
    by: searches,
  },
  {
    name: 'search-refund-of-another',
    guard: 'a search by payment_id or bill_id finds the refunds of the merchant alone',
    patches: [
      {
        file: 'lib/search/search-refunds.ts',
        find: '(refund) => refund.merchantId === merchantId',
        put: '() => true',
      },
    ],
    by: searches,
  },
  {
    name: 'cursor-of-another-merchant',
    guard: 'a cursor belongs to a merchant',
    patches: [{ file: 'lib/search/cursor.ts', find: '        key.merchantId,\n', put: '' }],
    by: cursors,
  },
  {
    name: 'cursor-of-another-search',
    guard: 'a cursor belongs to the filters of its search',
    patches: [{ file: 'lib/search/cursor.ts', find: 'value !== undefined)', put: 'value === null)' }],
    by: cursors,
  },
  {
    name: 'search-without-end',
    guard: 'a search reads at most so many items for a page',
    patches: [
      {
        file: 'lib/search/fill-page.ts',
        find: 'export const mostExamined = 1_000',
        put: 'export const mostExamined = 10_000',
      },
    ],
    by: { scenario: 'a search that finds nothing ends' },
  },
];
