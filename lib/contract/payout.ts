import * as z from 'zod/mini';
import { parseCardNumber, parseHolder } from '../payout/card-number.ts';
import { accountTypes, type Destination } from '../payout/destination.ts';
import { payoutCurrencies } from '../payout/payout.ts';
import { parsePhone } from '../payout/phone.ts';
import { isActiveBank } from '../payout/sbp-banks.ts';
import { payoutStatuses } from '../payout/states.ts';
import { amount, amountIn, at, id, oneOf, orderId, success } from './fields.ts';
import { keyReused, orderReused } from './refusals.ts';
import { route } from './route.ts';

const payout = {
  id: z.string(),
  status: z.enum(payoutStatuses),
  amount,
  commission: amount,
  account_identifier: z.string(),
  currency: z.enum(payoutCurrencies),
  created_at: at,
};

const payouts = z.object({ data: z.array(z.object(payout)), success });

export type CreatePayoutRefusal =
  | 'merchant_not_found'
  | 'merchant_banned'
  | 'merchant_subscription_inactive'
  | 'merchant_subscription_not_found'
  | 'merchant_not_verified'
  | 'payout_account_not_found'
  | 'payout_account_banned'
  | 'direction_not_available'
  | 'invalid_amount'
  | 'daily_payout_limit_exceeded'
  | 'monthly_payout_limit_exceeded'
  | 'balance_not_enough'
  | 'order_id_reused'
  | 'idempotency_key_reused';

const creation = {
  merchant_not_found: 400,
  merchant_banned: 400,
  merchant_subscription_inactive: 400,
  merchant_subscription_not_found: 400,
  merchant_not_verified: 400,
  payout_account_not_found: 400,
  payout_account_banned: 400,
  direction_not_available: 400,
  invalid_amount: 400,
  daily_payout_limit_exceeded: 400,
  monthly_payout_limit_exceeded: 400,
  balance_not_enough: 400,
  order_id_reused: orderReused,
  idempotency_key_reused: keyReused,
} as const;

/** Interface specification 4.7. */
export const createPersonalPayoutRoute = route<CreatePayoutRefusal>()({
  function: 'payout-personal-create',
  method: 'POST',
  path: '/api/v1/payout/personal/create',
  summary: 'Pay out to a stored payout account; a large amount is split',
  idempotent: true,
  input: z.object({ amount: amountIn, payout_account_id: id, order_id: z.optional(orderId) }),
  output: payouts,
  refusals: creation,
});

const regularFields = z.object({
  amount: amountIn,
  currency: oneOf(payoutCurrencies),
  account_type: oneOf(accountTypes),
  account_identifier: z
    .string()
    .check(z.meta({ description: 'A card number for credit_card, a Russian phone number for sbp.' })),
  account_bank: z.optional(
    z.string().check(z.meta({ description: 'member_id of an SBP bank; required for sbp.' })),
  ),
  card_holder: z.optional(
    z.string().check(z.meta({ description: 'The name on the card; required for credit_card.' })),
  ),
  order_id: z.optional(orderId),
});

type RegularFields = z.output<typeof regularFields>;
type Wrong = readonly [field: keyof RegularFields, sentence: string];

/** The fields that one account type needs, put together; or what is wrong with them. */
function readDestination(fields: RegularFields): Destination | readonly Wrong[] {
  return fields.account_type === 'sbp' ? readSbpAccount(fields) : readCard(fields);
}

function readCard({ account_identifier, card_holder }: RegularFields): Destination | readonly Wrong[] {
  const number = parseCardNumber(account_identifier);
  const holder = parseHolder(card_holder ?? '');
  if (number !== undefined && holder !== undefined) return { type: 'credit_card', number, holder };
  const wrong: Wrong[] = [];
  if (number === undefined)
    wrong.push(['account_identifier', 'The account_identifier must be a card number: check its digits.']);
  if (holder === undefined)
    wrong.push(['card_holder', 'The card_holder must be the name on the card, for credit_card accounts.']);
  return wrong;
}

function readSbpAccount({ account_identifier, account_bank }: RegularFields): Destination | readonly Wrong[] {
  const phone = parsePhone(account_identifier);
  const bankId = /^\d{1,15}$/.test(account_bank ?? '') ? Number(account_bank) : undefined;
  if (phone !== undefined && bankId !== undefined && isActiveBank(bankId))
    return { type: 'sbp', phone, bankId };
  const wrong: Wrong[] = [];
  if (phone === undefined)
    wrong.push([
      'account_identifier',
      'The account_identifier must be a Russian phone number, such as 79123456789.',
    ]);
  if (bankId === undefined || !isActiveBank(bankId))
    wrong.push([
      'account_bank',
      'The account_bank must be the member_id of a bank of payout/dictionaries/sbp_banks.',
    ]);
  return wrong;
}

const isWrong = (read: Destination | readonly Wrong[]): read is readonly Wrong[] => Array.isArray(read);

/** Interface specification 4.8. Its 403 comes before anything else is looked at. */
export const createRegularPayoutRoute = route<CreatePayoutRefusal | 'unauthorized_action'>()({
  function: 'payout-regular-create',
  method: 'POST',
  path: '/api/v1/payout/regular/create',
  summary: 'Pay out to a card or to an SBP account; a large amount is split',
  idempotent: true,
  input: z.pipe(
    regularFields,
    z.transform((fields: RegularFields, context) => {
      const destination = readDestination(fields);
      if (!isWrong(destination))
        return { amount: fields.amount, currency: fields.currency, order_id: fields.order_id, destination };
      for (const [field, message] of destination)
        context.issues.push({ code: 'custom', path: [field], message, input: fields });
      return z.NEVER;
    }),
  ),
  output: payouts,
  refusals: {
    ...creation,
    unauthorized_action: { status: 403, message: 'This action is unauthorized' },
  },
});

export type GetPayoutRefusal =
  | 'merchant_not_found'
  | 'merchant_banned'
  | 'merchant_subscription_inactive'
  | 'merchant_subscription_not_found'
  | 'payout_not_found';

const eitherId = 'One of id and order_id is required.';

/** Interface specification 4.9. `data` is there when a split payout was asked for by its order_id. */
export const payoutStatusRoute = route<GetPayoutRefusal>()({
  function: 'payout-status',
  method: 'GET',
  path: '/api/v1/payout/status',
  summary: 'Read a payout by its id or by its order_id',
  input: z.object({ id: z.optional(id), order_id: z.optional(z.string()) }).check((context) => {
    const { id: payoutId, order_id } = context.value;
    if (payoutId !== undefined || order_id !== undefined) return;
    for (const field of ['id', 'order_id'])
      context.issues.push({ code: 'custom', path: [field], message: eitherId, input: context.value });
  }),
  output: z.object({ ...payout, data: z.optional(z.array(z.object(payout))), success }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    merchant_subscription_inactive: 403,
    merchant_subscription_not_found: 403,
    payout_not_found: 422,
  },
});

/** Interface specification 4.10. `bic` is text: as an integer it would lose its leading zero. */
export const sbpBanksRoute = route<'merchant_banned'>()({
  function: 'payout-sbp-banks',
  method: 'GET',
  path: '/api/v1/payout/dictionaries/sbp_banks',
  summary: 'List the active banks of the Faster Payments System',
  input: z.object({}),
  output: z.object({
    data: z.array(
      z.object({
        member_id: z.int(),
        name: z.string(),
        name_en: z.string(),
        bic: z.string().check(z.regex(/^\d{9}$/)),
      }),
    ),
    success,
  }),
  refusals: { merchant_banned: 403 },
});
