import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { PaymentId } from '../ids.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** What is encrypted under the page secret. Each use has a key of its own. */
type SealedUse = 'card-page' | 'start-request';
type Binding = { readonly secret: string; readonly use: SealedUse; readonly paymentId: PaymentId };

const keyFrom = ({ secret, use }: Binding, purpose: 'seal' | 'iv'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `${use}-${purpose}`, 32));

/** Derives the IV from the plaintext, so that two different texts never share one. */
const ivOf = (binding: Binding, text: string): Buffer =>
  createHmac('sha256', keyFrom(binding, 'iv'))
    .update(`${binding.paymentId}:${text}`)
    .digest()
    .subarray(0, ivBytes);

/**
 * Encrypts what more people may read in the table than may know the page secret: with the URL of a card page one could end the
 * payment and see digits of its card, with that of the payer's return see its outcome. Bound to its payment, so a copied
 * attribute does not decrypt for another.
 */
export function seal(binding: Binding, text: string): string {
  const iv = ivOf(binding, text);
  const aad = Buffer.from(binding.paymentId);
  const cipher = createCipheriv(algorithm, keyFrom(binding, 'seal'), iv).setAAD(aad);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Returns the text; undefined when it was encrypted under another secret, for another use or payment. */
export function open(binding: Binding, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  if (tag.length < tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(binding, 'seal'), iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(binding.paymentId)).setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
