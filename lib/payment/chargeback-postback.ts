import type { Chargeback } from '../ledger/chargeback.ts';
import { toDecimal } from '../money/money.ts';
import { chargebackEventId, paymentEventId, type PostbackEvent } from '../postback/event.ts';
import type { Payment } from './payment.ts';

/** Returns the fields as sent to the shop's refund URL; the signature is added at delivery. */
const chargebackFields = (
  { id, paymentId, amount }: Chargeback,
  { billId }: Pick<Payment, 'billId'>,
): Readonly<Record<string, string>> => ({
  Id: id,
  PaymentId: paymentId,
  BillId: billId,
  Amount: toDecimal(amount.minor),
  Currency: amount.currency,
});

/**
 * Returns the postback of a confirmed loss; undefined for every other item, and where the shop had no refund URL. A surplus
 * credits nobody, and what is open or dismissed took nothing. It is sent after the payment's own postback.
 */
export function chargebackEvent(
  chargeback: Chargeback,
  payment: Pick<Payment, 'id' | 'billId' | 'shopId' | 'status'>,
): PostbackEvent | undefined {
  const { status, decision, merchantId } = chargeback;
  if (!decision?.posted) return undefined;
  return {
    id: chargebackEventId(chargeback, status),
    kind: 'chargeback',
    merchantId,
    shopId: payment.shopId,
    sealedPhone: undefined,
    extended: undefined,
    sentAfter: paymentEventId(payment.id, payment.status),
    supersededByBill: undefined,
    status,
    fields: chargebackFields(chargeback, payment),
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: decision.at,
    nextAt: decision.at,
  };
}
