import * as z from 'zod/mini';
import { billStatuses } from '../bill/bill.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import { declineReasons, methodNames } from '../payment/acquirer.ts';
import type { GetPaymentRefusal } from '../payment/get-payment.ts';
import { type ListPaymentsRefusal, mostPaymentsAtOnce } from '../payment/list-payments.ts';
import { amount, at, flag, id, optionalId, pageLinks, pageMeta, perPage, success } from './fields.ts';
import { chargeback, refund } from './refund.ts';
import { route } from './route.ts';

/** The fields of a payment in every answer (contract 2.2). */
export const payment = {
  id: z.string(),
  bill_id: z.string(),
  status: z.enum(billStatuses),
  amount,
  amount_received: amount,
  from_card: z.string(),
  currency_in: z.enum(billCurrencies),
  created_at: at,
  // Additive. Typed clients refuse a payment without the first three.
  commission: amount,
  account_amount: amount,
  account_currency_code: z.enum(balanceCurrencies),
  refunded_amount: amount,
  payment_method: z.enum(Object.values(methodNames)),
  account_bank: z.optional(z.string()),
  error_code: z.optional(z.enum(declineReasons)),
  error_message: z.optional(z.string()),
};

const limit = z.pipe(
  z.string().check(
    z.regex(/^(?:[1-9]\d{0,2}|1000)$/, {
      error: `The limit must be a whole number from 1 to ${mostPaymentsAtOnce}.`,
    }),
    z.meta({ type: ['integer', 'string'] }),
  ),
  z.transform(Number),
);

/**
 * Contract 4.3. `limit`, its alias `per_page`, `cursor`, `next_cursor`, and with `per_page` `links` and `meta` as searches have them, are
 * additive. Payments are newest first within a page; pages are ordered by payment id, so a new payment never shifts them.
 */
export const billPaymentsRoute = route<ListPaymentsRefusal>()({
  function: 'bill-payments',
  method: 'GET',
  path: '/api/v1/bill/payments',
  summary: 'List the payments of a bill, newest first within a page',
  input: z.object({ id, limit: z.optional(limit), per_page: z.optional(perPage), cursor: optionalId }),
  output: z.object({
    data: z.array(z.object(payment)),
    next_cursor: z.optional(z.nullable(z.string())),
    links: z.optional(z.object(pageLinks)),
    meta: z.optional(z.object(pageMeta)),
    success,
  }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    bill_not_found: 403,
    too_many_payments: 400,
    unknown_cursor: {
      status: 422,
      field: 'cursor',
      sentence: 'The cursor must be the next_cursor of an earlier page of this bill.',
    },
  },
});

/** Contract 4.5. `refunds` and `chargeback` are additive: with the value 1 the response has a list under the same name. */
export const paymentStatusRoute = route<GetPaymentRefusal>()({
  function: 'payment-status',
  method: 'GET',
  path: '/api/v1/payment/status',
  summary: 'Read one payment',
  input: z.object({ id, refunds: z._default(flag, false), chargeback: z._default(flag, false) }),
  output: z.object({
    ...payment,
    refunds: z.optional(z.array(z.object(refund))),
    chargeback: z.optional(z.array(z.object(chargeback))),
    success,
  }),
  refusals: { merchant_banned: 403, payment_not_found: 422 },
});
