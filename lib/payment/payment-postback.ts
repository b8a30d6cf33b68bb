import { toDecimal } from '../money/money.ts';
import { methodNames } from './acquirer.ts';
import { paymentErrorOf } from './payment-error.ts';
import { creditOf } from './payment-postings.ts';
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

/**
 * Returns what an extended postback tells of the payment: its method, what is shown of the card where one is known, what was credited to
 * the balance, and why it failed.
 */
function extendedFields(payment: Payment): Readonly<Record<string, string>> {
  const credit = creditOf(payment);
  const error = paymentErrorOf(payment);
  return {
    AccountType: methodNames[payment.method],
    ...(payment.fromCard !== undefined && { AccountNumber: payment.fromCard }),
    BalanceAmount: toDecimal(credit.minor),
    BalanceCurrency: credit.currency,
    ...(error && { ErrorCode: error.code, ErrorMessage: error.message }),
  };
}

/**
 * Returns the postback for a payment's final status. Its id contains the status, so it exists only once. Whether it is extended is
 * decided here: every attempt sends what the first one did, also after the shop changed its setting.
 */
export function paymentEvent(
  payment: Payment,
  { now, extended = false }: { readonly now: Date; readonly extended?: boolean },
): PostbackEvent {
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
    extended: extended ? extendedFields(payment) : undefined,
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: now,
    nextAt: now,
  };
}
