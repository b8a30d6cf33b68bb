import type * as z from 'zod/mini';
import type { createFullRefundRoute } from '../../contract/refund.ts';
import type { Chargeback } from '../../ledger/chargeback.ts';
import type { Payment } from '../../payment/payment.ts';
import { nothingLeft } from '../../nothing-left.ts';
import type { CreatedRefund } from '../../refund/create-refund.ts';
import type { Refund } from '../../refund/refund.ts';
import { refundErrors } from '../../refund/refund-error.ts';
import { amountNumber } from './amounts.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

type RefundAnswer = z.input<(typeof createFullRefundRoute)['output']>;

export const presentCreatedRefund = ({ refund }: CreatedRefund, view: View): RefundAnswer =>
  presentRefund(refund, view);

export const presentRefund = (refund: Refund, view: View): RefundAnswer => ({
  ...refundFields(refund, view),
  success: true,
});

/** The fields that are in no response. */
type Hidden =
  | 'merchantId'
  | 'shopId'
  | 'debit'
  | 'feeReturnedMinor'
  | 'requestedBy'
  | 'acquirer'
  | 'call'
  | 'outcome'
  | 'contactUntil'
  | 'receipt'
  | 'endedAt'
  | 'checks'
  | 'nextCheck';

/** Presents a refund as all answers do. */
export function refundFields(refund: Omit<Refund, Hidden>, { timeZone }: View) {
  const { id, paymentId, billId, status, amount, reason, errorCode, createdAt, ...rest } = refund;
  nothingLeft(rest);
  return {
    id,
    payment_id: paymentId,
    bill_id: billId,
    status,
    amount: amountNumber(amount.minor),
    currency: amount.currency,
    reason: reason ?? '',
    created_at: timestamp(createdAt, timeZone),
    ...(errorCode !== undefined && { error_code: errorCode, error_message: refundErrors[errorCode] }),
  };
}

/** Presents a confirmed loss. */
export const chargebackFields = (
  { id, paymentId, amount, at }: Chargeback,
  { billId }: Pick<Payment, 'billId'>,
  { timeZone }: View,
) => ({
  id,
  payment_id: paymentId,
  bill_id: billId,
  amount: amountNumber(amount.minor),
  currency: amount.currency,
  status: 'CONFIRMED' as const,
  created_at: timestamp(at, timeZone),
});
