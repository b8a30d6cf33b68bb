import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';
import type { CreateRefundRefusal, FullRefundRefusal } from '../refund/create-refund.ts';
import type { GetRefundRefusal } from '../refund/get-refund.ts';
import { refundErrorCodes, refundStatuses } from '../refund/refund.ts';
import { amount, amountIn, at, id, leftOutUnlessText, success, text } from './fields.ts';
import { invalidAmount, keyReused } from './refusals.ts';
import { type RefusalAnswer, route } from './route.ts';

/** The fields of a refund in every answer. */
export const refund = {
  id: z.string(),
  payment_id: z.string(),
  bill_id: z.string(),
  status: z.enum(refundStatuses),
  amount,
  currency: z.enum(billCurrencies),
  reason: z.string(),
  created_at: at,
  error_code: z.optional(z.enum(refundErrorCodes)),
  error_message: z.optional(z.string()),
};

/** The fields of a confirmed chargeback. */
export const chargeback = {
  id: z.string(),
  payment_id: z.string(),
  bill_id: z.string(),
  amount,
  currency: z.enum(billCurrencies),
  status: z.literal('CONFIRMED'),
  created_at: at,
};

/** `reason` is shown to people. The payer's contact never refuses a refund by itself: it says where its receipt goes. */
const fields = {
  payment_id: id,
  reason: z.optional(text(255)),
  payer_email: z.optional(leftOutUnlessText),
  payer_phone: z.optional(leftOutUnlessText),
};

const refusals = {
  merchant_banned: 403,
  payment_not_found: 422,
  refund_not_available: {
    status: 400,
    field: 'payment_id',
    sentence: 'This payment cannot be refunded.',
    details: true,
  },
  balance_not_enough: 400,
  idempotency_key_reused: keyReused,
} as const satisfies Readonly<Record<FullRefundRefusal, RefusalAnswer>>;

/** Additive. Refunds all that is refundable: the payer's surcharge too. */
export const createFullRefundRoute = route<FullRefundRefusal>()({
  function: 'refund-full-create',
  method: 'POST',
  path: '/api/v1/refund/full/create',
  summary: 'Refund all of a payment that is still refundable',
  idempotent: true,
  input: z.object(fields),
  output: z.object({ ...refund, success }),
  refusals,
});

/** Additive. */
export const createPartialRefundRoute = route<CreateRefundRefusal>()({
  function: 'refund-partial-create',
  method: 'POST',
  path: '/api/v1/refund/partial/create',
  summary: 'Refund a part of a payment',
  idempotent: true,
  input: z.object({ ...fields, amount: amountIn }),
  output: z.object({ ...refund, success }),
  refusals: { ...refusals, invalid_amount: invalidAmount(400) },
});

/** Additive. */
export const refundStatusRoute = route<GetRefundRefusal>()({
  function: 'refund-status',
  method: 'GET',
  path: '/api/v1/refund/status',
  summary: 'Read one refund',
  input: z.object({ id }),
  output: z.object({ ...refund, success }),
  refusals: { merchant_banned: 403, refund_not_found: 422 },
});
