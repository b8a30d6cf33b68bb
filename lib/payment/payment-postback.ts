import { toDecimal } from '../money/money.ts';
import type { Payment } from './payment.ts';
import { type PostbackEvent, paymentEventId } from '../postback/event.ts';
import { outSum } from './out-sum.ts';

/** Returns the fields of contract 6.1 in its order, as sent; the signature is added at delivery. */
const paymentFields = (payment: Payment): Readonly<Record<string, string>> => ({
  InvId: payment.orderId ?? '',
  OutSum: outSum(payment),
  Commission: toDecimal(payment.feeMinor ?? 0n),
  TrsId: payment.id,
  Status: payment.status,
  CurrencyIn: payment.amount.currency,
  ...(payment.custom === undefined ? {} : { custom: payment.custom }),
});

/** Returns the postback for a payment's final status. Its id contains the status, so it exists only once. */
export function paymentEvent(payment: Payment, { now }: { readonly now: Date }): PostbackEvent {
  const failedOnce = payment.status === 'FAIL' && payment.billType === 'NORMAL';
  return {
    id: paymentEventId(payment.id, payment.status),
    kind: 'payment',
    merchantId: payment.merchantId,
    shopId: payment.shopId,
    sealedPhone: undefined,
    sentAfter: undefined,
    supersededByBill: failedOnce ? payment.billId : undefined,
    status: payment.status,
    fields: paymentFields(payment),
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: now,
    nextAt: now,
  };
}
