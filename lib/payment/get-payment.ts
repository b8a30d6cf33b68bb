import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Payment } from './payment.ts';
import type { PaymentId } from '../ids.ts';
import type { Payments } from './ports.ts';

export type GetPaymentPorts = { readonly payments: Payments };
type Query = {
  readonly caller: Caller;
  /** Undefined when the text is not a payment id. */
  readonly id: PaymentId | undefined;
};

export type GetPaymentRefusal = 'merchant_banned' | 'payment_not_found';

/** Returns one payment (contract 4.5). */
export async function getPayment(
  { payments }: GetPaymentPorts,
  { caller, id }: Query,
): Promise<Result<Payment, GetPaymentRefusal>> {
  const refusal = whyRefused(caller, ['merchant_banned']);
  if (refusal) return fail(refusal);

  const payment = id && (await payments.find(id));
  // Another merchant's payment is indistinguishable from a missing one.
  return payment?.merchantId === caller.merchantId ? ok(payment) : fail('payment_not_found');
}
