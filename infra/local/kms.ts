import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './aws-json.ts';
import { ofType, type Resource } from './resources.ts';
import type { Vault } from './vault.ts';

/** A symmetric key of the template, with every name that it answers to. */
type Key = {
  readonly id: string;
  readonly arn: string;
  readonly names: ReadonlySet<string>;
  readonly material: Buffer;
};

const context = z.optional(z.record(z.string(), z.string()));
const encryptInput = z.object({ KeyId: z.string(), Plaintext: z.string(), EncryptionContext: context });
const decryptInput = z.object({
  CiphertextBlob: z.string(),
  EncryptionContext: context,
  KeyId: z.optional(z.string()),
});
const dataKeyInput = z.object({
  KeyId: z.string(),
  KeySpec: z.optional(z.enum(['AES_128', 'AES_256'])),
  NumberOfBytes: z.optional(z.int().check(z.minimum(1), z.maximum(1024))),
  EncryptionContext: context,
});
const describeInput = z.object({ KeyId: z.string() });

/** KMS for the template's keys: AES-256-GCM, the encryption context bound to the ciphertext. */
export function kmsOf(resources: readonly Resource[], vault: Vault): AwsService {
  const keys = keysOf(resources, vault);
  return {
    Encrypt: (input) => encrypt(keys, encryptInput.parse(input)),
    Decrypt: (input) => decrypt(keys, decryptInput.parse(input)),
    GenerateDataKey: (input) => dataKey(keys, dataKeyInput.parse(input)),
    DescribeKey: (input) => describe(keyNamed(keys, describeInput.parse(input).KeyId)),
  };
}

/** The service's name on the wire. */
export const kmsTarget = 'TrentService';

type Context = z.infer<typeof context>;

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
    throw new AwsError('IncorrectKeyException', 'The ciphertext was made with another key.');
  }
  return { Plaintext: plaintext.toString('base64'), KeyId: key.arn, EncryptionAlgorithm: algorithm };
}

function dataKey(keys: readonly Key[], input: z.infer<typeof dataKeyInput>): object {
  const key = keyNamed(keys, input.KeyId);
  const plaintext = randomBytes(input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32));
  return {
    CiphertextBlob: seal(key, plaintext, input.EncryptionContext),
    Plaintext: plaintext.toString('base64'),
    KeyId: key.arn,
  };
}

const describe = ({ id, arn }: Key): object => ({
  KeyMetadata: {
    KeyId: id,
    Arn: arn,
    Enabled: true,
    KeyState: 'Enabled',
    KeyUsage: 'ENCRYPT_DECRYPT',
    KeySpec: algorithm,
  },
});

const algorithm = 'SYMMETRIC_DEFAULT';
/** A ciphertext is the key's id, the nonce, the tag, and what was encrypted. */
const lengths = { id: 36, nonce: 12, tag: 16 } as const;

function seal(key: Key, plaintext: Buffer, encryptionContext: Context): string {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(bound(encryptionContext));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id), nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Another context, another key and a damaged ciphertext are refused alike and without a word, as by KMS. */
function open(
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

/** The context as additional data: its order does not matter. */
const bound = (encryptionContext: Context): Buffer =>
  Buffer.from(
    JSON.stringify(
      Object.entries(encryptionContext ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );

function keyNamed(keys: readonly Key[], name: string): Key {
  const key = keys.find(({ names }) => names.has(name));
  if (key) return key;
  throw new AwsError('NotFoundException', `Key '${name}' does not exist`);
}

function keysOf(resources: readonly Resource[], vault: Vault): readonly Key[] {
  const aliases = ofType(resources, 'AWS::KMS::Alias');
  return ofType(resources, 'AWS::KMS::Key').map(({ identity }) => {
    const { ref: id, attributes } = identity;
    const arn = attributes['Arn'] ?? id;
    const own = aliases.filter(({ properties }) => [id, arn].includes(String(properties['TargetKeyId'])));
    const aliasNames = own.map((alias) => alias.identity.ref);
    const aliasArns = aliasNames.map((alias) => arn.replace(`key/${id}`, alias));
    const material = vault(`kms ${id}`, () => randomBytes(32).toString('base64'));
    return {
      id,
      arn,
      names: new Set([id, arn, ...aliasNames, ...aliasArns]),
      material: Buffer.from(material, 'base64'),
    };
  });
}
