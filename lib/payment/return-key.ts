import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentId } from '../ids.ts';

/**
 * What the way back from the acquirer carries beside the payment's id. The id alone opens nothing, for merchants, their
 * support and their logs have it too; the way back works in any browser, as a bank's app may open another one.
 */
export const returnKey = (secret: string, paymentId: PaymentId): string =>
  createHmac('sha256', secret).update(`payment-return:${paymentId}`).digest('base64url').slice(0, 22);

export function isReturnKey(secret: string, paymentId: PaymentId, key: string | undefined): boolean {
  const [given, due] = [Buffer.from(key ?? ''), Buffer.from(returnKey(secret, paymentId))];
  return given.length === due.length && timingSafeEqual(given, due);
}
