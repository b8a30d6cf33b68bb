import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { PaymentId } from '../ids.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const keyFrom = (secret: string, use: 'seal' | 'iv'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `card-page-${use}`, 32));

/** Derives the IV from the plaintext, so that two different texts never share one. */
const ivOf = (secret: string, paymentId: PaymentId, pageUrl: string): Buffer =>
  createHmac('sha256', keyFrom(secret, 'iv')).update(`${paymentId}:${pageUrl}`).digest().subarray(0, ivBytes);

/**
 * Encrypts the URL of a card page: with it one could end the payment and see digits of its card, and more people may
 * read the table than the page secret. Bound to its payment, so a copied attribute does not decrypt for another.
 */
export function sealCardPage(secret: string, paymentId: PaymentId, pageUrl: string): string {
  const iv = ivOf(secret, paymentId, pageUrl);
  const cipher = createCipheriv(algorithm, keyFrom(secret, 'seal'), iv).setAAD(Buffer.from(paymentId));
  const sealed = Buffer.concat([cipher.update(pageUrl, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Returns the URL; undefined when it was encrypted under another secret or for another payment. */
export function openCardPage(secret: string, paymentId: PaymentId, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  if (tag.length < tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(secret, 'seal'), iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(paymentId)).setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
