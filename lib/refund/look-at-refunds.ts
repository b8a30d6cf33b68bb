import { kindOf } from '../log.ts';
import type { PaymentId } from '../ids.ts';
import { lookAtRefund, opened, type RefundPorts } from './advance-refund.ts';
import { isEndedRefund } from './refund.ts';

/** A merchant may create any number of small refunds: an acquirer waits only so long for the answer to its notification. */
const mostLookedAt = 5;

/**
 * Reads the payment's open refunds at the acquirer, the oldest ones, when a notification may be about one of them. It sends none: the
 * worker does. After one that cannot be read now, the others are left to the checks too.
 */
export async function lookAtRefunds(ports: RefundPorts, paymentId: PaymentId): Promise<void> {
  const sent = (await ports.refunds.ofPayment(paymentId)).filter(
    (refund) => !isEndedRefund(refund) && refund.call,
  );
  for (const refund of sent.slice(0, mostLookedAt)) {
    try {
      await lookAtRefund(ports, await opened(ports, refund));
    } catch (error) {
      ports.log('error', 'refund_not_advanced', { ...kindOf(error), refund: refund.id });
      return;
    }
  }
}
