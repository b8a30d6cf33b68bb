import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AwsError } from './aws-error.ts';
import type { Key } from './kms-keys.ts';

/** The encryption context that a ciphertext is bound to. */
export type Context = Readonly<Record<string, string>> | undefined;

/** The lengths in bytes of a ciphertext's first parts: key id, nonce, tag. The encrypted data follows. */
const lengths = { id: 36, nonce: 12, tag: 16 } as const;

/** Encrypts under a key and a context. Returns base64. */
export function seal(key: Key, plaintext: Buffer, encryptionContext: Context): string {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(bound(encryptionContext));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id), nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Decrypts. A wrong context, an unknown key and a damaged ciphertext throw the same error without a message, as KMS does. */
export function open(
  keys: readonly Key[],
  blob: Buffer,
  encryptionContext: Context,
): { key: Key; plaintext: Buffer } {
  const at = {
    nonce: lengths.id,
    tag: lengths.id + lengths.nonce,
    sealed: lengths.id + lengths.nonce + lengths.tag,
  };
  const key = keys.find(({ id }) => id === blob.subarray(0, at.nonce).toString());
  if (!key || blob.length <= at.sealed) throw new AwsError('InvalidCiphertextException', '');
  try {
    const cipher = createDecipheriv('aes-256-gcm', key.material, blob.subarray(at.nonce, at.tag))
      .setAAD(bound(encryptionContext))
      .setAuthTag(blob.subarray(at.tag, at.sealed));
    return { key, plaintext: Buffer.concat([cipher.update(blob.subarray(at.sealed)), cipher.final()]) };
  } catch {
    throw new AwsError('InvalidCiphertextException', '');
  }
}

/** Returns the context as additional authenticated data. The order of its entries does not matter. */
const bound = (encryptionContext: Context): Buffer =>
  Buffer.from(
    JSON.stringify(
      Object.entries(encryptionContext ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );
