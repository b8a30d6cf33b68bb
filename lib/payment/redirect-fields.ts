import type { Payment } from './payment.ts';
import { outSum } from './out-sum.ts';
import { md5Signature } from '../postback/signature.ts';

/** Returns the fields that the payer's browser posts to the Success or Fail URL, in the order of contract 6.3. */
export function redirectFields(payment: Payment, token: string): Readonly<Record<string, string>> {
  const InvId = payment.orderId ?? '';
  const OutSum = outSum(payment);
  return {
    InvId,
    OutSum,
    CurrencyIn: payment.amount.currency,
    ...(payment.custom === undefined ? {} : { custom: payment.custom }),
    SignatureValue: md5Signature(OutSum, InvId, token),
  };
}
