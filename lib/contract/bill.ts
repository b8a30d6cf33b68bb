import * as z from 'zod/mini';
import { type BillType, billStatuses, billTypes } from '../bill/bill.ts';
import { type CreateBillRefusal, ignorable } from '../bill/create-bill.ts';
import type { GetBillRefusal } from '../payment/get-bill.ts';
import type { ToggleBillRefusal } from '../bill/toggle-bill-activity.ts';
import { billCurrencies } from '../money/money.ts';
import {
  amount,
  amountIn,
  at,
  currencyIn,
  flag,
  id,
  leftOutUnlessText,
  oneOf,
  oneRequired,
  optionalId,
  orderId,
  success,
  successText,
  text,
} from './fields.ts';
import { longestCustom } from './body-limits.ts';
import { invalidAmount, keyReused } from './refusals.ts';
import { route } from './route.ts';

const billType = z.pipe(
  oneOf(['normal', 'multi']),
  z.transform((value): BillType => (value === 'multi' ? 'MULTI' : 'NORMAL')),
);

/** The contract's text, which is refused when it is too long. Form fields and JSON never are: what cannot be stored of them is left out. */
const custom = z.pipe(
  z.pipe(
    z.unknown().check(
      z.meta({
        type: ['string', 'object', 'array', 'number', 'boolean'],
        maxLength: longestCustom,
      }),
    ),
    z.transform((value: unknown) => (isLeftOut(value) ? null : value)),
  ),
  z.union([text(longestCustom), z.null()]),
);

const isLeftOut = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'leftOut' in value;

/** Additive: present only when the bill has them. */
const payerMasks = {
  payer_email: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  payer_name: z.optional(z.string()),
};

/** Contract 4.1. The fields from `payer_email` on are additive and never refuse a bill. */
export const createBillRoute = route<CreateBillRefusal>()({
  function: 'bill-create',
  method: 'POST',
  path: '/api/v1/bill/create',
  summary: 'Create a bill: a payment link for one payer (normal) or many (multi)',
  idempotent: true,
  input: z.object({
    amount: amountIn,
    shop_id: id,
    order_id: z.optional(orderId),
    description: z.optional(text(1024)),
    type: z._default(billType, 'NORMAL'),
    currency_in: z.optional(currencyIn),
    custom: z.optional(custom),
    name: z.optional(text(255)),
    payer_pays_commission: z._default(flag, false),
    payer_email: z.optional(leftOutUnlessText),
    payer_phone: z.optional(leftOutUnlessText),
    payer_name: z.optional(leftOutUnlessText),
    items: z.optional(leftOutUnlessText),
    ttl: z.optional(leftOutUnlessText),
    locale: z.optional(leftOutUnlessText),
    payment_method: z.optional(leftOutUnlessText),
    success_url: z.optional(leftOutUnlessText),
    fail_url: z.optional(leftOutUnlessText),
    return_url: z.optional(leftOutUnlessText),
    request_fields: z.optional(leftOutUnlessText),
  }),
  output: z.object({
    success: successText,
    link_url: z.url(),
    link_page_url: z.url(),
    bill_id: z.string(),
    ...payerMasks,
    ignored: z.optional(z.array(z.enum(ignorable))),
  }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    shop_not_found: 403,
    access_denied: 403,
    shop_not_enabled: 403,
    invalid_amount: { ...invalidAmount(403), details: true },
    no_payout: 403,
    idempotency_key_reused: keyReused,
  },
});

/** `ttl` is additive: seconds from the creation of a bill to its end; absent when it has none. */
const bill = {
  id: z.string(),
  status: z.enum(billStatuses),
  type: z.enum(billTypes),
  amount,
  currency_in: z.enum(billCurrencies),
  created_at: at,
  active: z.boolean(),
  ttl: z.optional(z.int()),
};

/** Contract 4.2. `activity` repeats `active` as text, because known clients read either. An expired bill is never active. */
export const toggleBillActivityRoute = route<ToggleBillRefusal>()({
  function: 'bill-toggle-activity',
  method: 'POST',
  path: '/api/v1/bill/toggle_activity',
  summary: 'Activate or deactivate a bill',
  input: z.object({ id, active: flag }),
  output: z.object({ ...bill, activity: z.enum(['true', 'false']), success }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    merchant_subscription_inactive: 403,
    merchant_subscription_not_found: 403,
    bill_not_found: 422,
    bill_is_finished: 403,
  },
});

/** The fields that `bill/status` and searches answer. */
export const billInFull = { ...bill, order_id: z.string(), ...payerMasks };

/**
 * Contract 4.4. The lookup by `order_id` is additive; so are `active` and `order_id` (empty text when the bill has none) in the
 * response. An expired bill is never active.
 */
export const billStatusRoute = route<GetBillRefusal>()({
  function: 'bill-status',
  method: 'GET',
  path: '/api/v1/bill/status',
  summary: 'Read a bill by its id or by the id of one of its payments; or the newest bill of an order',
  input: z
    .object({
      id: optionalId,
      order_id: z.optional(z.string()),
      shop_id: optionalId,
    })
    .check(oneRequired(['id', 'order_id'], (sent) => sent.id ?? sent.order_id)),
  output: z.object({ ...billInFull, success }),
  refusals: { merchant_banned: 403, bill_not_found: 422 },
});
