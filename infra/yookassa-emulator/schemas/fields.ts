import * as z from 'zod/mini';

/*
 * Fields that requests and answers share, as the vendor's OpenAPI file has them. The error of a check is the description that
 * the caller reads.
 */

export const currencies = [
  'RUB',
  'EUR',
  'USD',
  'KZT',
  'BYN',
  'UAH',
  'UZS',
  'TRY',
  'INR',
  'MDL',
  'AZN',
  'AMD',
] as const;

const value = z
  .string()
  .check(z.regex(/^\d{1,10}\.\d{2}$/, { error: 'The amount must be a decimal with two places.' }));

export const amount = z.object({ value, currency: z.enum(currencies) });

/** Payments and refunds also take one decimal, which versions of the vendor's own Python client send. Payouts do not. */
export const looseAmount = z.object({
  value: z.pipe(
    z
      .string()
      .check(z.regex(/^\d{1,10}\.\d{1,2}$/, { error: 'The amount must be a decimal with two places.' })),
    z.transform((text) => (/\.\d$/.test(text) ? `${text}0` : text)),
  ),
  currency: z.enum(currencies),
});

export const text = (longest: number) => z.string().check(z.maxLength(longest));

export const idOf = (shortest: number, longest: number) =>
  z.string().check(z.minLength(shortest), z.maxLength(longest));

const metadataValue = z.nullable(text(512));

/** At most 16 keys of up to 32 characters, with texts of up to 512. */
export const metadata = z
  .record(text(32), metadataValue)
  .check(z.refine((pairs) => Object.keys(pairs).length <= 16, { error: 'Metadata has at most 16 keys.' }));

export const phone = z.string().check(
  z.regex(/^[0-9]{4,15}$/, {
    error: 'A phone number is 4 to 15 digits, with the country code and without +.',
  }),
);

export const sbpBankId = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9]{12}$/, { error: 'The id of an SBP participant is 12 characters.' }));

export const bic = z.string().check(z.regex(/^\d{9}$/));

export const dateTime = z.iso.datetime({ offset: true, error: 'A time is given in ISO 8601 with its zone.' });

export const locale = z.enum(['ru_RU', 'en_US']);

/** Codes of payment methods that exist at the vendor. */
export const paymentMethods = [
  'bank_card',
  'cash',
  'alfabank',
  'webmoney',
  'wechat',
  'apple_pay',
  'google_pay',
  'qiwi',
  'installments',
  'yoo_money',
  'sberbank',
  'mobile_balance',
  'b2b_sberbank',
  'tinkoff_bank',
  'sbp',
  'sber_loan',
  'electronic_certificate',
  'sber_bnpl',
] as const;
