import * as z from 'zod/mini';
import {
  amount,
  idOf,
  locale,
  looseAmount,
  metadata,
  paymentMethods,
  phone,
  sbpBankId,
  text,
} from './fields.ts';

/*
 * What the API accepts. Unknown fields are ignored, as the vendor does: its own clients send some. A field that the vendor has
 * and the emulator does not imitate is refused by name, see `notImitated`.
 */

const returnUrl = z.string().check(
  z.maxLength(2048),
  z.refine((url) => URL.canParse(url), { error: 'The return URL is not a URL.' }),
);

const confirmation = z.object({
  type: z.enum(['redirect', 'external', 'qr', 'embedded', 'mobile_application']),
  return_url: z.optional(returnUrl),
  enforce: z.optional(z.boolean()),
  locale: z.optional(locale),
});

const paymentMethodData = z.object({
  type: z.enum(paymentMethods),
  card: z.optional(z.unknown()),
});

export const newPayment = z.object({
  amount: looseAmount,
  description: z.optional(text(128)),
  receipt: z.optional(z.unknown()),
  payment_method_data: z.optional(paymentMethodData),
  confirmation: z.optional(confirmation),
  save_payment_method: z.optional(z.boolean()),
  capture: z.optional(z.boolean()),
  client_ip: z.optional(z.string()),
  metadata: z.optional(metadata),
  merchant_customer_id: z.optional(text(200)),
});

export const newCapture = z.object({ amount: z.optional(looseAmount), receipt: z.optional(z.unknown()) });

export const newRefund = z.object({
  payment_id: idOf(36, 36),
  amount: looseAmount,
  description: z.optional(text(250)),
  receipt: z.optional(z.unknown()),
  metadata: z.optional(metadata),
});

const card = z.object({
  number: z
    .string()
    .check(z.regex(/^[0-9]{16,19}$/, { error: 'A card number is 16 to 19 digits without spaces.' })),
});

const payoutDestination = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sbp'), phone, bank_id: sbpBankId }),
  z.object({ type: z.literal('bank_card'), card }),
  z.object({
    type: z.literal('yoo_money'),
    account_number: z
      .string()
      .check(z.regex(/^[0-9]{11,33}$/, { error: 'A wallet number is 11 to 33 digits.' })),
  }),
]);

export const newPayout = z.object({
  amount,
  payout_destination_data: z.optional(payoutDestination),
  payout_token: z.optional(z.string()),
  payment_method_id: z.optional(z.string()),
  description: z.optional(text(128)),
  personal_data: z.optional(z.array(z.object({ id: idOf(36, 50) })).check(z.minLength(1), z.maxLength(2))),
  metadata: z.optional(metadata),
});

/** Fields of the vendor's requests that need an agreement or a scenario which the emulated shop does not have. */
export const notImitated = {
  payment: [
    'payment_token',
    'payment_method_id',
    'recipient',
    'airline',
    'transfers',
    'deal',
    'payment_order',
    'receiver',
    'statements',
  ],
  capture: ['airline', 'transfers', 'deal'],
  refund: ['sources', 'deal', 'refund_method_data'],
  payout: ['payout_token', 'payment_method_id', 'deal', 'personal_data'],
} as const;
