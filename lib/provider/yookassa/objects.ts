import * as z from 'zod/mini';
import { cut } from '../../cut.ts';
import { Defect } from '../../defect.ts';
import { parseDecimal } from '../../money/money.ts';
import { plainLine } from '../../plain-line.ts';
import { wordsOf } from './words.ts';

/*
 * The objects of the YooKassa API v3, as far as they are read (yookassa.ru/developers/api). Other fields are ignored.
 */

const amountText = z.string().check(z.regex(/^\d{1,12}(?:\.\d{1,2})?$/));
const currency = z.string().check(z.regex(/^[A-Z]{3}$/));
const money = z.object({
  value: z.pipe(
    amountText,
    z.transform((text) => parseDecimal(text, 2) ?? 0n),
  ),
  currency,
});
/** A balance of an account, which may be negative. */
export const accountMoney = z.object({
  value: z.pipe(z.string().check(z.regex(/^-?\d{1,15}(?:\.\d{1,2})?$/)), z.transform(signedMinor)),
  currency,
});
const moment = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => new Date(text)),
);
const metadata = z.optional(z.nullable(z.record(z.string(), z.unknown())));
type Metadata = z.infer<typeof metadata>;
/** The registration of the object's own receipt. Another value is left out: the state of the money does not depend on it. */
const registration = z.catch(z.optional(z.enum(['pending', 'succeeded', 'canceled'])), undefined);
const cancellation = z.optional(z.object({ reason: z.pipe(z.string(), z.transform(wordsOf)) }));

/** Payments and refunds have ids of 36 characters, payouts of up to 50. */
const isId = /^[0-9A-Za-z-]{36,50}$/;
const id = z.string().check(z.regex(isId));
/** Whether text can be an id of the provider, so that it may be part of a path. */
export const isReference = (text: string): boolean => isId.test(text);
/** Returns a stored reference for a path, where other text would be another path. */
export function referencePath(reference: string): string {
  if (!isReference(reference))
    throw new Defect('YOOKASSA_REFERENCE_MALFORMED', 'A reference has another shape than YooKassa gives');
  return reference;
}

/** A bank's name as one line. Of another shape it is left out: the state of the money does not depend on it. */
const bankName = z.catch(
  z.optional(
    z.pipe(
      z.string(),
      z.transform((text) => cut(plainLine(text.slice(0, 1000)), 100)),
    ),
  ),
  undefined,
);

export const paymentObject = z.object({
  id,
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  amount: money,
  // Of another shape it is not known, which reconciliation tells: the state of the money does not depend on it.
  income_amount: z.catch(z.optional(money), undefined),
  refunded_amount: z.optional(money),
  captured_at: z.optional(moment),
  receipt_registration: registration,
  confirmation: z.optional(z.object({ confirmation_url: z.optional(z.url({ protocol: /^https?$/ })) })),
  // Of another shape it is left out: the state of the money does not depend on it.
  payment_method: z.catch(
    z.optional(
      z.object({
        card: z.optional(
          z.object({
            first6: z.optional(z.string().check(z.regex(/^\d{6}$/))),
            last4: z.string().check(z.regex(/^\d{4}$/)),
            issuer_name: bankName,
          }),
        ),
        payer_bank_details: z.catch(
          z.optional(z.object({ bank_id: z.string().check(z.regex(/^\d{12}$/)) })),
          undefined,
        ),
      }),
    ),
    undefined,
  ),
  cancellation_details: cancellation,
  metadata,
});
export type PaymentObject = z.infer<typeof paymentObject>;
/** A payment on a statement, which also has those of other systems: with confirmations and methods that we never ask for. */
export const statedPayment = z.omit(paymentObject, { confirmation: true, payment_method: true });

export const refundObject = z.object({
  id,
  payment_id: id,
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: money,
  created_at: moment,
  receipt_registration: registration,
  cancellation_details: cancellation,
  metadata,
});
export type RefundObject = z.infer<typeof refundObject>;

export const payoutObject = z.object({
  id,
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: money,
  succeeded_at: z.optional(moment),
  cancellation_details: cancellation,
  metadata,
});
export type PayoutObject = z.infer<typeof payoutObject>;

/** The dictionary of SBP banks, which has no pages. */
export const bankList = z.object({
  type: z.literal('list'),
  items: z.array(
    z.object({
      // Twelve digits: a number holds them, and `targetOf` writes them with leading zeros again.
      bank_id: z.string().check(z.regex(/^\d{12}$/)),
      name: z.pipe(
        z.string().check(
          z.maxLength(200),
          z.refine((text) => plainLine(text) !== ''),
        ),
        z.transform(plainLine),
      ),
      bic: z.string().check(z.regex(/^\d{9}$/)),
    }),
  ),
});

export const notificationBody = z.object({
  type: z.literal('notification'),
  event: z.string(),
  object: z.object({ id, payment_id: z.optional(id), metadata }),
});

/** Reads one of our values in an object's metadata. */
export function ours(object: { readonly metadata?: Metadata }, name: string): string | undefined {
  const value = object.metadata?.[name];
  return typeof value === 'string' ? value : undefined;
}

const withMetadata = z.object({ metadata: z.record(z.string(), z.unknown()) });
/** Whether the metadata of a listed object has another value, so that it need not be read. */
export function isOfAnother(item: unknown, name: string, value: string): boolean {
  const named = withMetadata.safeParse(item).data;
  return named !== undefined && named.metadata[name] !== value;
}

function signedMinor(text: string): bigint {
  const minor = parseDecimal(text.replace('-', ''), 2) ?? 0n;
  return text.startsWith('-') ? -minor : minor;
}
