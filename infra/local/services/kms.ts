import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './aws-json.ts';
import { open, seal } from './kms-ciphertext.ts';
import { type Key, keyNamed, keysOf } from './kms-keys.ts';
import type { Resource } from '../template/resources.ts';
import type { KeepSecret } from './secret-file.ts';

const context = z.optional(z.record(z.string(), z.string()));
const encryptInput = z.object({ KeyId: z.string(), Plaintext: z.string(), EncryptionContext: context });
const decryptInput = z.object({
  CiphertextBlob: z.string(),
  EncryptionContext: context,
  KeyId: z.optional(z.string()),
});

const reEncryptInput = z.object({
  CiphertextBlob: z.string(),
  SourceEncryptionContext: context,
  SourceKeyId: z.optional(z.string()),
  DestinationEncryptionContext: context,
  DestinationKeyId: z.string(),
});

/** KMS for the template's keys: AES-256-GCM, with the ciphertext bound to the encryption context. */
export function kmsOf(resources: readonly Resource[], keepSecret: KeepSecret): AwsService {
  const keys = keysOf(resources, keepSecret);
  return {
    Encrypt: (input) => encrypt(keys, encryptInput.parse(input)),
    Decrypt: (input) => decrypt(keys, decryptInput.parse(input)),
    ReEncrypt: (input) => reEncrypt(keys, reEncryptInput.parse(input)),
  };
}

/** The service's name in `X-Amz-Target`. */
export const kmsTarget = 'TrentService';

function encrypt(
  keys: readonly Key[],
  { KeyId, Plaintext, EncryptionContext }: z.infer<typeof encryptInput>,
): object {
  const key = keyNamed(keys, KeyId);
  const plaintext = Buffer.from(Plaintext, 'base64');
  if (plaintext.length < 1 || plaintext.length > 4096) {
    throw new AwsError('ValidationException', 'Plaintext must have from 1 to 4096 bytes.');
  }
  return {
    CiphertextBlob: seal(key, plaintext, EncryptionContext),
    KeyId: key.arn,
    EncryptionAlgorithm: algorithm,
  };
}

function decrypt(keys: readonly Key[], input: z.infer<typeof decryptInput>): object {
  const { key, plaintext } = open(keys, Buffer.from(input.CiphertextBlob, 'base64'), input.EncryptionContext);
  if (input.KeyId !== undefined && keyNamed(keys, input.KeyId) !== key) {
    throw new AwsError('IncorrectKeyException', 'The ciphertext was encrypted under another key.');
  }
  return { Plaintext: plaintext.toString('base64'), KeyId: key.arn, EncryptionAlgorithm: algorithm };
}

function reEncrypt(keys: readonly Key[], input: z.infer<typeof reEncryptInput>): object {
  const { CiphertextBlob, SourceEncryptionContext, SourceKeyId, ...destination } = input;
  const { key, plaintext } = open(keys, Buffer.from(CiphertextBlob, 'base64'), SourceEncryptionContext);
  if (SourceKeyId !== undefined && keyNamed(keys, SourceKeyId) !== key)
    throw new AwsError('IncorrectKeyException', 'The ciphertext was encrypted under another key.');
  const to = keyNamed(keys, destination.DestinationKeyId);
  return {
    CiphertextBlob: seal(to, plaintext, destination.DestinationEncryptionContext),
    SourceKeyId: key.arn,
    KeyId: to.arn,
    SourceEncryptionAlgorithm: algorithm,
    DestinationEncryptionAlgorithm: algorithm,
  };
}

const algorithm = 'SYMMETRIC_DEFAULT';
