import * as z from 'zod/mini';
import { amount, phone, text } from './fields.ts';

/** The vendor's examples give numbers as texts too, and clients send both. */
const integerOf = (least: number, most: number) =>
  z
    .union([z.int(), z.string().check(z.regex(/^\d{1,3}$/))])
    .check(z.refine((number) => Number(number) >= least && Number(number) <= most));

const quantity = z
  .union([z.number(), z.string().check(z.regex(/^\d{1,5}(?:\.\d{1,3})?$/))])
  .check(z.refine((number) => Number(number) > 0 && Number(number) <= 99_999.999));

const measures = [
  'piece',
  'gram',
  'kilogram',
  'ton',
  'centimeter',
  'decimeter',
  'meter',
  'square_centimeter',
  'square_decimeter',
  'square_meter',
  'milliliter',
  'liter',
  'cubic_meter',
  'kilowatt_hour',
  'gigacalorie',
  'day',
  'hour',
  'minute',
  'second',
  'kilobyte',
  'megabyte',
  'gigabyte',
  'terabyte',
  'another',
] as const;

const paymentSubjects = [
  'commodity',
  'excise',
  'job',
  'service',
  'gambling_bet',
  'gambling_prize',
  'lottery',
  'lottery_prize',
  'intellectual_activity',
  'payment',
  'agent_commission',
  'property_right',
  'non_operating_gain',
  'insurance_premium',
  'sales_tax',
  'resort_fee',
  'composite',
  'another',
  'fine',
  'tax',
  'lien',
  'cost',
  'pension_insurance_without_payouts',
  'pension_insurance_with_payouts',
  'health_insurance_without_payouts',
  'health_insurance_with_payouts',
  'health_insurance',
  'casino',
  'agent_withdrawals',
  'non_marked_excise',
  'marked_excise',
  'marked',
  'non_marked',
] as const;

const paymentModes = [
  'full_prepayment',
  'partial_prepayment',
  'advance',
  'full_payment',
  'partial_payment',
  'credit',
  'credit_payment',
] as const;

const item = z.object({
  description: z.string().check(z.minLength(1), z.maxLength(128)),
  amount,
  vat_code: integerOf(1, 12),
  quantity,
  measure: z.optional(z.enum(measures)),
  payment_subject: z.optional(z.enum(paymentSubjects)),
  payment_mode: z.optional(z.enum(paymentModes)),
});

/** The data of a fiscal receipt. Contact data are required; fields for marked goods and industries are not checked. */
export const receipt = z.object({
  customer: z
    .object({
      full_name: z.optional(text(256)),
      inn: z.optional(z.string().check(z.regex(/^(?:\d{10}|\d{12})$/))),
      email: z.optional(z.email().check(z.maxLength(254))),
      phone: z.optional(phone),
    })
    .check(z.refine(({ email, phone: number }) => email !== undefined || number !== undefined)),
  items: z.array(item).check(z.minLength(1), z.maxLength(100)),
  internet: z.optional(z.boolean()),
  tax_system_code: z.optional(integerOf(1, 6)),
  timezone: z.optional(integerOf(1, 11)),
});

export type Receipt = z.infer<typeof receipt>;

const mostOwnItems = 80;

/** Whether receipts of YooKassa itself take it: they go to an e-mail address, and have fewer items, each with a measure. */
export const isTakenByYookassa = ({ customer, items }: Receipt): boolean =>
  customer.email !== undefined &&
  items.length <= mostOwnItems &&
  items.every(({ measure }) => measure !== undefined);

/** Whether the items add up to the amount, in minor units. A line is its price times its quantity, to a kopeck. */
export function addsUp({ items }: Receipt, minor: number): boolean {
  const total = items.reduce(
    (sum, each) => sum + Math.round(Number(each.amount.value) * 100 * Number(each.quantity)),
    0,
  );
  return total === minor;
}
