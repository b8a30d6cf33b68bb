import * as z from 'zod/mini';
import { amountIn, id, orderId } from './fields.ts';
import { regularFields, regularPayoutInput } from './regular-payout-input.ts';

/** Contract 4.7. */
export const personalPayoutInput = z.object({
  amount: amountIn,
  payout_account_id: id,
  order_id: z.optional(orderId),
});

const { amount, currency, account_type, account_identifier, account_bank, card_holder, order_id } =
  regularFields.shape;

/** The fields of both creations, as the OpenAPI document shows them. */
export const quoteFields = z.object({
  amount,
  payout_account_id: z.optional(id),
  currency: z.optional(currency),
  account_type: z.optional(account_type),
  account_identifier: z.optional(account_identifier),
  account_bank,
  card_holder,
  order_id,
});

type Sent = Readonly<Partial<Record<keyof z.input<typeof quoteFields>, unknown>>>;

/** Whether the fields are those of `payout/personal/create`. */
export const isPersonalQuote = ({ payout_account_id: account }: Sent): boolean => account !== undefined;

/** Kept as sent: the creation's own schema checks them. */
const asSent = z.object(
  Object.fromEntries(Object.keys(quoteFields.shape).map((name) => [name, z.optional(z.unknown())])),
);

const chooseOne = 'Send either payout_account_id, or account_type and its fields.';

/** The input of `payout/quote`: that of the creation whose fields are sent, with the same errors. */
export const quotePayoutInput = z.pipe(
  asSent,
  z.transform((sent: Sent, { issues }) => {
    const isRegular = (sent.account_type ?? sent.account_identifier) !== undefined;
    if (isPersonalQuote(sent) === isRegular)
      issues.push({ code: 'custom', path: ['payout_account_id'], message: chooseOne, input: undefined });
    if (isPersonalQuote(sent)) {
      const personal = z.safeParse(personalPayoutInput, sent);
      if (personal.success) return { kind: 'personal', ...personal.data } as const;
      issues.push(...personal.error.issues.map((issue) => ({ ...issue, input: undefined })));
      return z.NEVER;
    }
    const regular = z.safeParse(regularPayoutInput, sent);
    if (regular.success) return { kind: 'regular', ...regular.data } as const;
    issues.push(...regular.error.issues.map((issue) => ({ ...issue, input: undefined })));
    return z.NEVER;
  }),
);
