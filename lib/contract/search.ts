import * as z from 'zod/mini';
import { billStatuses, billTypes } from '../bill/bill.ts';
import { methodNames } from '../payment/acquirer.ts';
import { accountTypes } from '../payout/destination.ts';
import { payoutStatuses } from '../payout/states.ts';
import { readDate } from '../reconciliation/day.ts';
import { refundStatuses } from '../refund/refund.ts';
import type { SearchBillsRefusal } from '../search/search-bills.ts';
import type { SearchPaymentsRefusal } from '../search/search-payments.ts';
import type { SearchRefundsRefusal } from '../search/search-refunds.ts';
import type { SearchPayoutsRefusal } from '../search/search-payouts.ts';
import { billInFull } from './bill.ts';
import { at, flag, oneOf, optionalId, pageLinks, pageMeta, perPage, success } from './fields.ts';
import { payment } from './payment.ts';
import { payout, payoutOutcome } from './payout.ts';
import { refund } from './refund.ts';
import { route } from './route.ts';

const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text);
const isDateOrTime = (text: string): boolean => {
  const [date = '', time = '00:00:00', ...rest] = text.split(' ');
  return /^20\d\d-/.test(date) && readDate(date) !== undefined && isTime(time) && rest.length === 0;
};
/** A day or a second in the environment's time zone. */
const date = z.optional(
  z.string().check(
    z.refine(isDateOrTime, {
      error: 'The value must be a date such as 2026-11-21, or a time such as 2026-11-21 12:34:56.',
    }),
  ),
);

/** The fields of every search. Its `cursor` is `next_cursor` or `prev_cursor` of an earlier page. */
const paged = {
  start_date: date,
  finish_date: date,
  per_page: z._default(perPage, 20),
  cursor: optionalId,
};

/** Answers of a search: a page, newest first. Additive, as the endpoints are. */
const pageOf = <Item extends z.core.$ZodLooseShape>(item: Item) =>
  z.object({
    success,
    data: z.array(z.object(item)),
    links: z.object(pageLinks),
    meta: z.object(pageMeta),
    incomplete_before: z.optional(at),
  });

const pageRefusals = {
  unknown_cursor: {
    status: 422,
    field: 'cursor',
    sentence: 'The cursor must be the next_cursor or prev_cursor of an earlier page of this search.',
  },
  finish_before_start: {
    status: 422,
    field: 'finish_date',
    sentence: 'The finish_date must not be before the start_date.',
  },
} as const;

/** Contract 4.16. */
export const searchBillsRoute = route<SearchBillsRefusal>()({
  function: 'bill-search',
  method: 'GET',
  path: '/api/v1/bill/search',
  summary: 'Search bills, newest first',
  input: z.object({
    ...paged,
    shop_id: optionalId,
    order_id: z.optional(z.string()),
    status: z.optional(oneOf(billStatuses)),
    type: z.optional(oneOf(billTypes)),
    active: z.optional(flag),
  }),
  output: pageOf(billInFull),
  refusals: { merchant_banned: 403, ...pageRefusals },
});

/** Contract 4.17. */
export const searchPaymentsRoute = route<SearchPaymentsRefusal>()({
  function: 'payment-search',
  method: 'GET',
  path: '/api/v1/payment/search',
  summary: 'Search payments, newest first',
  input: z.object({
    ...paged,
    shop_id: optionalId,
    bill_id: optionalId,
    order_id: z.optional(z.string()),
    status: z.optional(oneOf(billStatuses)),
    payment_method: z.optional(oneOf([methodNames.card, methodNames.sbp])),
  }),
  output: pageOf(payment),
  refusals: { merchant_banned: 403, ...pageRefusals },
});

/** Contract 4.18. Each part of a split payout is an item. */
export const searchPayoutsRoute = route<SearchPayoutsRefusal>()({
  function: 'payout-search',
  method: 'GET',
  path: '/api/v1/payout/search',
  summary: 'Search payouts, newest first',
  input: z.object({
    ...paged,
    order_id: z.optional(z.string()),
    status: z.optional(oneOf(payoutStatuses)),
    account_type: z.optional(oneOf(accountTypes)),
  }),
  output: pageOf({ ...payout, ...payoutOutcome }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    merchant_subscription_inactive: 403,
    merchant_subscription_not_found: 403,
    ...pageRefusals,
  },
});

/** Contract 4.19. */
export const searchRefundsRoute = route<SearchRefundsRefusal>()({
  function: 'refund-search',
  method: 'GET',
  path: '/api/v1/refund/search',
  summary: 'Search refunds, newest first',
  input: z.object({
    ...paged,
    payment_id: optionalId,
    bill_id: optionalId,
    status: z.optional(oneOf(refundStatuses)),
  }),
  output: pageOf(refund),
  refusals: { merchant_banned: 403, ...pageRefusals },
});
