import { readPaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import { PaymentAtOtherAcquirer } from './other-acquirer.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

export type NotificationPorts = ResolvePorts & { readonly log: Log };
type Notification = {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/**
 * Handles a notification from the acquirer. Its content is not trusted: the payment is checked with the acquirer, even
 * when it is final, which also finds late money. A payment at another acquirer is left unchanged.
 */
export async function receiveNotification(
  ports: NotificationPorts,
  { headers, body }: Notification,
): Promise<'accepted' | 'refused'> {
  const named = ports.acquirer.readNotification(headers, body);
  if (named === undefined) return 'refused';
  const paymentId = readPaymentId(named);
  if (paymentId === undefined) return 'accepted';
  await resolvePayment(ports, paymentId, { evenIfFinal: true }).catch((error: unknown) => {
    // Logged here because the caller that handles the error does not know the payment.
    ports.log('error', 'payment_not_resolved', { ...kindOf(error), payment: paymentId });
    if (!(error instanceof PaymentAtOtherAcquirer)) throw error;
  });
  return 'accepted';
}
