import { kindOf } from '../log.ts';
import type { PaymentId } from '../ids.ts';
import { lookAtRefund, opened, type RefundPorts } from './advance-refund.ts';
import { isEndedRefund } from './refund.ts';

/**
 * Reads the payment's open refunds at the acquirer, when a notification may be about one of them. It sends none: the worker does. What
 * cannot be read now is left to the checks.
 */
export async function lookAtRefunds(ports: RefundPorts, paymentId: PaymentId): Promise<void> {
  const open = (await ports.refunds.ofPayment(paymentId)).filter((refund) => !isEndedRefund(refund));
  for (const refund of open) {
    if (!refund.call) continue;
    await opened(ports, refund)
      .then((known) => lookAtRefund(ports, known))
      .catch((error: unknown) =>
        ports.log('error', 'refund_not_advanced', { ...kindOf(error), refund: refund.id }),
      );
  }
}
