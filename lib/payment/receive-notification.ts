import { readPaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import { PaymentAtOtherAcquirer } from './other-acquirer.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

export type NotificationPorts = ResolvePorts & { readonly log: Log };
type Notification = { readonly headers: Readonly<Record<string, string | undefined>>; readonly body: string };

/**
 * The acquirer says that something happened: it is not believed but asked, and late money is heard of this way too.
 * It has no say in a payment that was sent to another.
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
    // Whoever answers for the failure does not know the payment.
    ports.log('error', 'payment_not_resolved', { ...kindOf(error), payment: paymentId });
    if (!(error instanceof PaymentAtOtherAcquirer)) throw error;
  });
  return 'accepted';
}
