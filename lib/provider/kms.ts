import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { Opener, Sealer } from '../merchant/ports.ts';

export const sealerUnder = (client: KMSClient, KeyId: string): Sealer => ({
  async seal(secret, context) {
    const Plaintext = Buffer.from(secret);
    const command = new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { ...context } });
    const { CiphertextBlob } = await client.send(command);
    return Buffer.from(CiphertextBlob ?? '').toString('base64');
  },
});

export const openerUnder = (client: KMSClient, KeyId: string): Opener => ({
  async open(sealed, context) {
    const CiphertextBlob = Buffer.from(sealed, 'base64');
    const command = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext: { ...context } });
    const { Plaintext } = await client.send(command);
    return Buffer.from(Plaintext ?? '').toString();
  },
});
