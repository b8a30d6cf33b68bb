import { toDecimal } from '../money/money.ts';
import type { Payment } from '../payment/payment.ts';
import { paymentEventId, type PostbackEvent, refundEventId } from '../postback/event.ts';
import type { Refund } from './refund.ts';

/** Returns the fields as sent to the shop's refund URL; the signature is added at delivery. */
const refundFields = (refund: Refund): Readonly<Record<string, string>> => ({
  Id: refund.id,
  PaymentId: refund.paymentId,
  BillId: refund.billId,
  Amount: toDecimal(refund.amount.minor),
  Currency: refund.amount.currency,
  Status: refund.status,
});

/**
 * Returns the postback of a refund that has ended; undefined while it is open. Its id contains the status, so it exists only once. It
 * is sent after the payment's own postback. Whoever writes it checks that the shop has a refund URL.
 */
export function refundEvent(
  refund: Refund,
  payment: Pick<Payment, 'id' | 'status'>,
): PostbackEvent | undefined {
  const { status, endedAt } = refund;
  if (!endedAt) return undefined;
  return {
    id: refundEventId(refund.id, status),
    kind: 'refund',
    merchantId: refund.merchantId,
    shopId: refund.shopId,
    sealedPhone: undefined,
    extended: undefined,
    sentAfter: paymentEventId(payment.id, payment.status),
    supersededByBill: undefined,
    status,
    fields: refundFields(refund),
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: endedAt,
    nextAt: endedAt,
  };
}
