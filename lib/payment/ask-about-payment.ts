import { awaitsAcquirer, type Payment } from './payment.ts';
import type { Payments } from './ports.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = { readonly now: () => Date; readonly payments: Payments };

/** Each lost round is a check that a worker made just then. */
const rounds = 5;

/** Has the acquirer asked about a payment after the next sweep, even if its next check is due much later. */
export async function askAboutPayment(
  { now, payments }: Ports,
  { paymentId }: { readonly paymentId: string },
): Promise<Result<Payment, 'payment_not_found' | 'payment_is_final' | 'payment_is_being_asked_about'>> {
  for (let round = 0; round < rounds; round += 1) {
    const payment = await payments.find(paymentId);
    if (!payment) return fail('payment_not_found');
    if (!awaitsAcquirer(payment)) return fail('payment_is_final');
    if (await payments.postponeCheck(payment, now())) return ok(payment);
  }
  return fail('payment_is_being_asked_about');
}
