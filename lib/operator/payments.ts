import { isFinal, type Payment } from '../payment/payment.ts';
import type { Payments } from '../payment/ports.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = { readonly now: () => Date; readonly payments: Payments };

/** Later than any check that is ever planned. */
const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/** Payments whose outcome nobody knows yet, the oldest first: the whole work list, not only what is due. */
export async function unknownPayments({ payments }: Pick<Ports, 'payments'>): Promise<readonly Payment[]> {
  const ids = await payments.due(endOfTime);
  const found = await Promise.all(ids.map((id) => payments.find(id)));
  return found
    .filter((payment) => payment !== undefined)
    .filter((payment) => !isFinal(payment))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** Has the next sweep ask the acquirer about a payment, however long its next check was put off. */
export async function askAboutPayment(
  { now, payments }: Ports,
  { paymentId }: { readonly paymentId: string },
): Promise<Result<Payment, 'payment_not_found' | 'payment_is_final'>> {
  const payment = await payments.find(paymentId);
  if (!payment) return fail('payment_not_found');
  if (isFinal(payment)) return fail('payment_is_final');
  await payments.postponeCheck(payment, now());
  return ok(payment);
}
