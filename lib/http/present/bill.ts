import type * as z from 'zod/mini';
import type { Bill } from '../../bill/bill.ts';
import type { CreatedBill } from '../../bill/create-once.ts';
import type { billStatusRoute, createBillRoute, toggleBillActivityRoute } from '../../contract/bill.ts';
import { amountNumber } from './amounts.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

type Wire<Route extends { output: z.ZodMiniType }> = z.input<Route['output']>;

export const presentCreatedBill = (
  { bill }: CreatedBill,
  { baseUrl }: View,
): Wire<typeof createBillRoute> => ({
  success: 'true',
  link_url: `${baseUrl}/link/${bill.id}`,
  link_page_url: `${baseUrl}/transfer/${bill.id}`,
  bill_id: bill.id,
});

export const presentBillActivity = (bill: Bill, view: View): Wire<typeof toggleBillActivityRoute> => ({
  ...billFields(bill, view),
  activity: bill.active ? 'true' : 'false',
  success: true,
});

export const presentBillStatus = (bill: Bill, view: View): Wire<typeof billStatusRoute> => ({
  ...billFields(bill, view),
  order_id: bill.orderId ?? '',
  success: true,
});

const billFields = (bill: Bill, { timeZone }: View) => ({
  id: bill.id,
  status: bill.status,
  type: bill.type,
  amount: amountNumber(bill.amount.minor),
  currency_in: bill.amount.currency,
  created_at: timestamp(bill.createdAt, timeZone),
  active: bill.active,
});
