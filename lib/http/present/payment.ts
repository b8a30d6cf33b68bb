import type * as z from 'zod/mini';
import type { billPaymentsRoute, paymentStatusRoute } from '../../contract/payment.ts';
import type { PaymentPage } from '../../payment/list-payments.ts';
import { chargeMinor, type Payment } from '../../payment/payment.ts';
import { amountNumber } from './amounts.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

export const presentPayment = (
  payment: Payment,
  view: View,
): z.input<(typeof paymentStatusRoute)['output']> => ({ ...paymentFields(payment, view), success: true });

export const presentPayments = (
  { payments, next }: PaymentPage,
  view: View,
): z.input<(typeof billPaymentsRoute)['output']> => ({
  data: payments.map((payment) => paymentFields(payment, view)),
  ...(next === undefined ? {} : { next_cursor: next }),
  success: true,
});

/** `amount` is the total that the payer is charged, their fee included (contract 2.2). */
const paymentFields = (payment: Payment, { timeZone }: View) => ({
  id: payment.id,
  bill_id: payment.billId,
  status: payment.status,
  amount: amountNumber(chargeMinor(payment)),
  amount_received: amountNumber(payment.receivedMinor ?? 0n),
  from_card: payment.fromCard ?? '',
  currency_in: payment.amount.currency,
  created_at: timestamp(payment.createdAt, timeZone),
});
