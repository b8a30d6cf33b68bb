import type { PaymentId } from '../ids.ts';
import { awaitsAcquirer, type Payment } from './payment.ts';
import type { Payments } from './ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

type ScheduledCheck = Result<
  Payment,
  'payment_not_found' | 'payment_is_final' | 'payment_is_being_asked_about'
>;
type Ports = { readonly now: () => Date; readonly payments: Payments };

/**
 * Makes a payment due now, so that the next sweep has it checked with the acquirer (`payments ask`). A failed payment whose order
 * the acquirer has is checked for late money, once; what came is refunded.
 */
export async function askAboutPayment(
  { now, payments }: Ports,
  { paymentId }: { readonly paymentId: PaymentId | undefined },
): Promise<ScheduledCheck> {
  const attempt = async (): Promise<ScheduledCheck | typeof conflict> => {
    const payment = paymentId && (await payments.find(paymentId));
    if (!payment) return fail('payment_not_found');
    if (!awaitsAcquirer(payment) && !mayHaveLateMoney(payment)) return fail('payment_is_final');
    const isListed = awaitsAcquirer(payment) || payment.lateQuery !== undefined;
    // The write is refused when a worker has just checked the payment.
    const isScheduled = isListed
      ? await payments.postponeCheck(payment, now())
      : await payments.scheduleLateQuery(payment, { lateQuery: 'week', at: now() });
    return isScheduled ? ok(payment) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: () => fail('payment_is_being_asked_about') });
}

/** Whether the payment failed, its order is known, and nothing was ever captured as far as is known here. */
const mayHaveLateMoney = (payment: Payment): boolean =>
  payment.status === 'FAIL' &&
  payment.reference !== undefined &&
  payment.receivedMinor === undefined &&
  payment.providerFeeMinor === undefined &&
  payment.afterCapture === undefined;
