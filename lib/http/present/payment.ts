import type * as z from 'zod/mini';
import { billPaymentsRoute, type paymentStatusRoute } from '../../contract/payment.ts';
import type { PaymentPage } from '../../payment/list-payments.ts';
import { methodNames } from '../../payment/acquirer.ts';
import { chargeMinor, type Payment } from '../../payment/payment.ts';
import { paymentErrorOf } from '../../payment/payment-error.ts';
import { creditOf } from '../../payment/payment-postings.ts';
import { nothingLeft } from '../../nothing-left.ts';
import type { PaymentStatusView } from '../../refund/get-payment-status.ts';
import { amountNumber } from './amounts.ts';
import { chargebackFields, refundFields } from './refund.ts';
import { pageLinksOf } from './page-links.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

export const presentPayment = (
  payment: Payment,
  view: View,
): z.input<(typeof paymentStatusRoute)['output']> => ({ ...paymentFields(payment, view), success: true });

export const presentPaymentStatus = (
  { payment, refunds, chargebacks }: PaymentStatusView,
  view: View,
): z.input<(typeof paymentStatusRoute)['output']> => ({
  ...paymentFields(payment, view),
  ...(refunds && { refunds: refunds.map((each) => refundFields(each, view)) }),
  ...(chargebacks && { chargeback: chargebacks.map((each) => chargebackFields(each, payment, view)) }),
  success: true,
});

export const presentPayments = (
  { payments, next, perPage, billId }: PaymentPage,
  view: View,
): z.input<(typeof billPaymentsRoute)['output']> => ({
  data: payments.map((payment) => paymentFields(payment, view)),
  ...(next === undefined ? {} : { next_cursor: next }),
  // Pages lead on only.
  ...(perPage !== undefined && {
    links: pageLinksOf(
      { path: billPaymentsRoute.path, sent: { id: billId, per_page: perPage }, next, previous: undefined },
      view,
    ),
    meta: { per_page: perPage, next_cursor: next ?? null, prev_cursor: null },
  }),
  success: true,
});

/** The fields that are in no response. */
type Hidden =
  | 'billType'
  | 'shopId'
  | 'phase'
  | 'acquirer'
  | 'holds'
  | 'payableUntil'
  | 'reference'
  | 'startRequest'
  | 'startCall'
  | 'captureCall'
  | 'cancelCall'
  | 'refundCall'
  | 'reserve'
  | 'providerFeeMinor'
  | 'browserHash'
  | 'cardPage'
  | 'askedAt'
  | 'payerHash'
  | 'orderId'
  | 'custom'
  | 'contactUntil'
  | 'receiptTerms'
  | 'receipt'
  | 'refundReceipt'
  | 'checks'
  | 'deliveredAt'
  | 'nextCheck'
  | 'lateQuery'
  | 'afterCapture'
  | 'decisions';

/** `amount` is the total charge, including the fee when the payer pays it (contract 2.2). */
function paymentFields(payment: Omit<Payment, Hidden>, { timeZone }: View) {
  const { id, billId, status, amount, surchargeMinor, receivedMinor, feeMinor, ...others } = payment;
  const { method, fromCard, accountBank, declineReason, outcome, refunds, createdAt, ...terms } = others;
  const { merchantId, payerPaysCommission, fee, settlement, reserveTerms, ...rest } = terms;
  nothingLeft(rest);
  const credit = creditOf(payment);
  const error = paymentErrorOf(payment);
  return {
    id,
    bill_id: billId,
    status,
    amount: amountNumber(chargeMinor({ amount, surchargeMinor })),
    amount_received: amountNumber(receivedMinor ?? 0n),
    from_card: fromCard ?? '',
    currency_in: amount.currency,
    created_at: timestamp(createdAt, timeZone),
    commission: amountNumber(feeMinor ?? 0n),
    account_amount: amountNumber(credit.minor),
    account_currency_code: credit.currency,
    refunded_amount: amountNumber(refunds?.refundedMinor ?? 0n),
    payment_method: methodNames[method],
    ...(accountBank !== undefined && { account_bank: accountBank }),
    ...(error && { error_code: error.code, error_message: error.message }),
  };
}
