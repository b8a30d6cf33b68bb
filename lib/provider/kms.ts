import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  type KMSClient,
  ReEncryptCommand,
} from '@aws-sdk/client-kms';
import { Defect } from '../defect.ts';
import type { Opener, Resealer, Sealer } from '../merchant/ports.ts';
import { SealBroken } from '../merchant/seal-broken.ts';

/** Throws for an empty value: with an empty secret anybody could sign. */
function present(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes?.length) throw new Defect('KMS_ANSWER_EMPTY', 'KMS answered without a value');
  return bytes;
}

export const sealerUnder = (client: KMSClient, KeyId: string): Sealer => ({
  async seal(secret, context) {
    const Plaintext = Buffer.from(secret);
    const command = new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { ...context } });
    const { CiphertextBlob } = await client.send(command);
    return Buffer.from(present(CiphertextBlob)).toString('base64');
  },
});

export const openerUnder = (client: KMSClient, KeyId: string): Opener => ({
  async open(sealed, context) {
    const CiphertextBlob = Buffer.from(sealed, 'base64');
    const command = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext: { ...context } });
    const { Plaintext } = await client.send(command).catch((error: unknown) => {
      throw isBroken(error) ? new SealBroken() : error;
    });
    return Buffer.from(present(Plaintext)).toString();
  },
});

/** KMS decrypts and encrypts: the plaintext stays inside it. */
export const resealerUnder = (client: KMSClient, KeyId: string): Resealer => ({
  async reseal(sealed, { from, to }) {
    const command = new ReEncryptCommand({
      CiphertextBlob: Buffer.from(sealed, 'base64'),
      SourceKeyId: KeyId,
      SourceEncryptionContext: { ...from },
      DestinationKeyId: KeyId,
      DestinationEncryptionContext: { ...to },
    });
    const { CiphertextBlob } = await client.send(command).catch((error: unknown) => {
      throw isBroken(error) ? new SealBroken() : error;
    });
    return Buffer.from(present(CiphertextBlob)).toString('base64');
  },
});

const isBroken = (error: unknown): boolean =>
  error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException;
