import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time; lengths may differ. */
export const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

export const isBearer = (header: string | undefined, secret: string): boolean =>
  isEqual(header ?? '', `Bearer ${secret}`);

/** The header of a notice: hex HMAC-SHA256 of the body's bytes. */
export const signatureHeader = 'sandbox-signature';
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');
