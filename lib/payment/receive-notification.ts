import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

type Notification = { readonly headers: Readonly<Record<string, string | undefined>>; readonly body: string };

/** The acquirer says that something happened: it is not believed but asked, and late money is heard of this way too. */
export async function receiveNotification(
  ports: ResolvePorts,
  { headers, body }: Notification,
): Promise<'accepted' | 'refused'> {
  const paymentId = ports.acquirer.readNotification(headers, body);
  if (paymentId === undefined) return 'refused';
  await resolvePayment(ports, paymentId, { evenIfFinal: true });
  return 'accepted';
}
