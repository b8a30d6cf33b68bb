import * as z from 'zod/mini';
import type { CreationRefusal } from '../payout/assess.ts';
import type { CancelRefusal } from '../payout/cancel-payout.ts';
import type { PersonalPayoutRefusal } from '../payout/create-personal-payout.ts';
import { accountTypes } from '../payout/destination.ts';
import type { GetPayoutRefusal } from '../payout/get-payout.ts';
import { payoutCurrencies } from '../payout/payout.ts';
import { approvalReasons } from '../payout/quote-payout.ts';
import { payoutStatuses } from '../payout/states.ts';
import { commissionPayers } from '../merchant/terms.ts';
import { amount, at, oneRequired, optionalId, success } from './fields.ts';
import { personalPayoutInput, quotePayoutInput } from './quote-payout-input.ts';
import { bankUnknown, invalidAmount, keyReused, orderIsCard, orderReused, overLimit } from './refusals.ts';
import { regularPayoutInput } from './regular-payout-input.ts';
import { type RefusalAnswer, route } from './route.ts';

/** The fields of a payout in every answer (contract 2.4). */
export const payout = {
  id: z.string(),
  status: z.enum(payoutStatuses),
  amount,
  commission: amount,
  account_identifier: z.string(),
  currency: z.enum(payoutCurrencies),
  created_at: at,
};

const payouts = z.object({ data: z.array(z.object(payout)), success });

const creation = {
  merchant_not_found: 400,
  merchant_banned: 400,
  merchant_subscription_inactive: 400,
  merchant_subscription_not_found: 400,
  merchant_not_verified: 400,
  payout_account_not_found: 400,
  payout_account_banned: 400,
  direction_not_available: 400,
  invalid_amount: { ...invalidAmount(400), details: true },
  daily_payout_limit_exceeded: overLimit('The payouts of this day would be over the limit.'),
  monthly_payout_limit_exceeded: overLimit('The payouts of this month would be over the limit.'),
  balance_not_enough: 400,
  order_id_reused: orderReused,
  idempotency_key_reused: keyReused,
} as const satisfies Readonly<Record<PersonalPayoutRefusal, RefusalAnswer>>;

const regularCreation = {
  ...creation,
  order_id_is_card_number: orderIsCard,
  sbp_bank_unknown: bankUnknown,
  unauthorized_action: { status: 403, message: 'This action is unauthorized' },
} as const satisfies Readonly<Record<CreationRefusal, RefusalAnswer>>;

/** Contract 4.7. */
export const createPersonalPayoutRoute = route<PersonalPayoutRefusal>()({
  function: 'payout-personal-create',
  method: 'POST',
  path: '/api/v1/payout/personal/create',
  summary: 'Pay out to a stored payout account; a large amount is split',
  idempotent: true,
  input: personalPayoutInput,
  output: payouts,
  refusals: creation,
});

/** Contract 4.8. Its 403 is returned before the request is parsed. */
export const createRegularPayoutRoute = route<CreationRefusal>()({
  function: 'payout-regular-create',
  method: 'POST',
  path: '/api/v1/payout/regular/create',
  summary: 'Pay out to a card or to an SBP account; a large amount is split',
  idempotent: true,
  input: regularPayoutInput,
  output: payouts,
  refusals: regularCreation,
});

/** What one payout, or all parts together, would cost and bring. */
export const quotedPart = {
  amount,
  commission: amount,
  balance_amount: amount,
  recipient_amount: amount,
};

/** One limit as it is now. */
export const quotedLimit = { limit: amount, used: amount, left: amount, resets_at: at };
const limit = z.object(quotedLimit);

/** Additive: what a creation with the same fields would answer now. Its refusals are those of the creation. */
export const quotePayoutRoute = route<CreationRefusal>()({
  function: 'payout-quote',
  method: 'POST',
  path: '/api/v1/payout/quote',
  summary: 'What a payout would cost, or why it would be refused; nothing is created',
  idempotent: true,
  input: quotePayoutInput,
  output: z.object({
    data: z.array(z.object(quotedPart)),
    ...quotedPart,
    currency: z.enum(payoutCurrencies),
    account_type: z.enum(accountTypes),
    account_identifier: z.string(),
    commission_payer: z.enum(commissionPayers),
    approval_required: z.boolean(),
    approval_reason: z.optional(z.enum(approvalReasons)),
    already_created: z.boolean(),
    limits: z.object({ day: limit, month: limit }),
    success,
  }),
  refusals: regularCreation,
});

/** Names a payout by its id, or all parts of an order. `payout_id` is an alias of `id`. */
const payoutChoice = z
  .object({
    id: optionalId,
    payout_id: optionalId,
    order_id: z.optional(z.string()),
  })
  .check(oneRequired(['id', 'order_id'], (sent) => sent.id ?? sent.payout_id ?? sent.order_id));

const statusRefusals = {
  merchant_not_found: 403,
  merchant_banned: 403,
  merchant_subscription_inactive: 403,
  merchant_subscription_not_found: 403,
  payout_not_found: 422,
} as const satisfies Readonly<Record<GetPayoutRefusal, RefusalAnswer>>;

/** Shares of `amount`: they show how much of a partly paid split payout reached the recipient. */
export const payoutOutcome = {
  amount_sent: amount,
  amount_returned: amount,
};

/**
 * Contract 4.9. `payout_id` is an alias of `id`. `data` is present when a split payout is queried by its order_id: `status` is then
 * that of the least advanced part, or ERROR when all parts ended and only some were paid.
 */
export const payoutStatusRoute = route<GetPayoutRefusal>()({
  function: 'payout-status',
  method: 'GET',
  path: '/api/v1/payout/status',
  summary: 'Read a payout by its id or by its order_id',
  input: payoutChoice,
  output: z.object({ ...payout, ...payoutOutcome, data: z.optional(z.array(z.object(payout))), success }),
  refusals: statusRefusals,
});

/**
 * Additive: cancels a payout by its id, or all parts of an order, while nothing was sent. Answered as creations are; unknown
 * payouts as by payout/status.
 */
export const cancelPayoutRoute = route<CancelRefusal>()({
  function: 'payout-cancel',
  method: 'POST',
  path: '/api/v1/payout/cancel',
  summary: 'Cancel a payout that was not sent yet, by its id or by its order_id',
  input: payoutChoice,
  output: payouts,
  refusals: {
    ...statusRefusals,
    transaction_rejected: {
      status: 400,
      field: 'id',
      sentence:
        'The payout, or a part of its order, was sent to the bank or has ended: it cannot be cancelled. payout/status returns its state.',
    },
  },
});

/** Contract 2.5. */
export const sbpBank = {
  member_id: z.int(),
  name: z.string(),
  name_en: z.string(),
  bic: z.string().check(z.regex(/^\d{9}$/)),
};

/** Contract 4.10. `bic` is text: as an integer it would lose its leading zero. */
export const sbpBanksRoute = route<'merchant_banned'>()({
  function: 'payout-sbp-banks',
  method: 'GET',
  path: '/api/v1/payout/dictionaries/sbp_banks',
  summary: 'List the active banks of the Faster Payments System',
  input: z.object({}),
  output: z.object({
    data: z.array(z.object(sbpBank)),
    success,
  }),
  refusals: { merchant_banned: 403 },
});
