import type * as z from 'zod/mini';
import type { Bill } from '../../bill/bill.ts';
import type { Contact } from '../../bill/contact.ts';
import type { CreatedBill } from '../../bill/create-bill.ts';
import type { FoundBill } from '../../payment/get-bill.ts';
import type { billStatusRoute, createBillRoute, toggleBillActivityRoute } from '../../contract/bill.ts';
import { nothingLeft } from '../../nothing-left.ts';
import { amountNumber } from './amounts.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

type Wire<Route extends { output: z.ZodMiniType }> = z.input<Route['output']>;

export const presentCreatedBill = (
  { bill, contact, ignored }: CreatedBill,
  { baseUrl }: View,
): Wire<typeof createBillRoute> => ({
  success: 'true',
  link_url: `${baseUrl}/link/${bill.id}`,
  link_page_url: `${baseUrl}/transfer/${bill.id}`,
  bill_id: bill.id,
  ...payerMasks(contact),
  ...(ignored.length > 0 && { ignored: [...ignored] }),
});

/** The masks of the payer's contact; fields only of what is there. */
const payerMasks = (contact: Contact | undefined) => ({
  ...(contact?.email !== undefined && { payer_email: contact.email }),
  ...(contact?.phone !== undefined && { payer_phone: contact.phone }),
  ...(contact?.name !== undefined && { payer_name: contact.name }),
});

/** The fields that are not in every response about a bill. */
type NotInAll =
  | 'merchantId'
  | 'shopId'
  | 'payerPaysCommission'
  | 'description'
  | 'name'
  | 'custom'
  | 'hasContact'
  | 'items'
  | 'options'
  | 'orderId';

export const presentBillActivity = (bill: Bill, view: View): Wire<typeof toggleBillActivityRoute> => ({
  ...billFields(bill, view),
  activity: bill.active ? 'true' : 'false',
  success: true,
});

export const presentBillStatus = (
  { bill, contact }: FoundBill,
  view: View,
): Wire<typeof billStatusRoute> => ({
  ...billFields(bill, view),
  order_id: bill.orderId ?? '',
  ...payerMasks(contact),
  success: true,
});

function billFields(
  { id, status, type, amount, createdAt, expiresAt, active, ...rest }: Omit<Bill, NotInAll>,
  { timeZone }: View,
) {
  nothingLeft(rest);
  return {
    id,
    status,
    type,
    amount: amountNumber(amount.minor),
    currency_in: amount.currency,
    created_at: timestamp(createdAt, timeZone),
    active,
    ...(expiresAt && { ttl: Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000) }),
  };
}
