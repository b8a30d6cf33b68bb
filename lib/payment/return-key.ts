import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentId } from '../ids.ts';

/**
 * Returns the key in the return URL beside the payment's id. The id alone grants no access, because merchants, their
 * support and their logs have it too. The URL works in any browser: a bank's app may open another one.
 */
export const returnKey = (secret: string, paymentId: PaymentId): string =>
  createHmac('sha256', secret).update(`payment-return:${paymentId}`).digest('base64url').slice(0, 22);

export function isReturnKey(secret: string, paymentId: PaymentId, key: string | undefined): boolean {
  const [given, due] = [Buffer.from(key ?? ''), Buffer.from(returnKey(secret, paymentId))];
  return given.length === due.length && timingSafeEqual(given, due);
}
