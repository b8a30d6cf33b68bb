import * as z from 'zod/mini';
import type { Hint } from '../../payment/acquirer.ts';
import { notificationBody, ours } from './objects.ts';

/**
 * Reads a notification, which is not signed (yookassa.ru/developers/using-api/webhooks): only the secret in its address says that
 * it may be the provider's. Undefined for another body.
 */
export function readHint(body: string): Hint | undefined {
  const read = z.safeParse(notificationBody, parsed(body));
  if (!read.success) return undefined;
  const { event, object } = read.data;
  const paymentId = ours(object, 'payment_id');
  if (event.startsWith('payment.')) return { about: 'payment', reference: object.id, paymentId };
  if (event.startsWith('payout.')) return { about: 'payout', reference: object.id, paymentId: undefined };
  if (!event.startsWith('refund.')) return { about: 'other', reference: object.id, paymentId: undefined };
  const { payment_id: reference } = object;
  return reference === undefined ? undefined : { about: 'refund', reference, paymentId };
}

/** Our id of the payout that a notification is about; undefined for any other. It proves nothing. */
export function payoutIn(body: string): string | undefined {
  const read = z.safeParse(notificationBody, parsed(body));
  return read.data?.event.startsWith('payout.') ? ours(read.data.object, 'payout_id') : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
