import { DecryptCommand, EncryptCommand, KMSClient, ReEncryptCommand } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { payloadOf, run } from './runner-kit.ts';

const resources = {
  Key: { Type: 'AWS::KMS::Key' },
  Alias: {
    Type: 'AWS::KMS::Alias',
    Properties: { AliasName: 'alias/tokens', TargetKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
  },
  Other: { Type: 'AWS::KMS::Key' },
  Secret: {
    Type: 'AWS::SecretsManager::Secret',
    Properties: { Name: 'app/page', GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true } },
  },
};
const functions = {
  names: {
    code: 'exports.handler = async () => process.env;',
    variables: {
      KEY: { Ref: 'Key' },
      KEY_ARN: { 'Fn::GetAtt': ['Key', 'Arn'] },
      OTHER: { Ref: 'Other' },
      SECRET: { Ref: 'Secret' },
    },
  },
};

async function start(dataFolder?: string) {
  const runner = await run({ functions, resources, options: dataFolder === undefined ? {} : { dataFolder } });
  const kms = new KMSClient(clientConfig(runner.endpoints.AWS_ENDPOINT_URL_KMS));
  const secrets = new SecretsManagerClient(clientConfig(runner.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER));
  onTestFinished(() => [kms, secrets].forEach((client) => client.destroy()));
  return { runner, kms, secrets, names: payloadOf(await runner.invoke('names', {})) };
}

const secret = Buffer.from('pl_test_token');
const EncryptionContext = { use: 'api-token', merchant: 'm1' };

describe('KMS here', () => {
  it.each(['alias/tokens', 'arn:aws:kms:us-east-1:000000000000:alias/tokens', 'KEY', 'KEY_ARN'])(
    'opens under the same context what it sealed with the key %s',
    async (name) => {
      const { kms, names } = await start();

      const sealed = await kms.send(
        new EncryptCommand({ KeyId: names[name] ?? name, Plaintext: secret, EncryptionContext }),
      );
      const turned = { merchant: 'm1', use: 'api-token' };
      const opened = await kms.send(
        new DecryptCommand({ CiphertextBlob: sealed.CiphertextBlob, EncryptionContext: turned }),
      );

      expect(Buffer.from(sealed.CiphertextBlob!).includes(secret)).toBe(false);
      expect(Buffer.from(opened.Plaintext!).toString()).toBe('pl_test_token');
      expect(opened.KeyId).toBe(names['KEY_ARN']);
    },
  );

  it.each([
    ['another context', { ...EncryptionContext, merchant: 'm2' }],
    ['no context', undefined],
  ])('decrypts nothing under %s', async (_case, other) => {
    const { kms } = await start();
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: 'alias/tokens', Plaintext: secret, EncryptionContext }),
    );

    const opening = kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: other }));

    await expect(opening).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  it('encrypts again under another context what was sealed under the first, without showing it', async () => {
    const { kms, names } = await start();
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: 'alias/tokens', Plaintext: secret, EncryptionContext }),
    );
    const to = { use: 'another' };
    const under = (from: Readonly<Record<string, string>>) =>
      kms.send(
        new ReEncryptCommand({
          CiphertextBlob,
          SourceKeyId: 'alias/tokens',
          SourceEncryptionContext: from,
          DestinationKeyId: 'alias/tokens',
          DestinationEncryptionContext: to,
        }),
      );

    const again = await under(EncryptionContext);

    expect(again).toMatchObject({ KeyId: names['KEY_ARN'], SourceKeyId: names['KEY_ARN'] });
    expect(again).not.toHaveProperty('Plaintext');
    const open = (context: Readonly<Record<string, string>>) =>
      kms.send(new DecryptCommand({ CiphertextBlob: again.CiphertextBlob, EncryptionContext: context }));
    expect(Buffer.from((await open(to)).Plaintext!).toString()).toBe('pl_test_token');
    await expect(open(EncryptionContext)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    await expect(under(to)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  it('decrypts nothing that was changed', async () => {
    const { kms } = await start();
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: 'alias/tokens', Plaintext: secret, EncryptionContext }),
    );
    CiphertextBlob![CiphertextBlob!.length - 1]! ^= 1;

    const opening = kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));

    await expect(opening).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  it('refuses to decrypt with another key', async () => {
    const { kms, names } = await start();
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: 'alias/tokens', Plaintext: secret, EncryptionContext }),
    );

    const opening = kms.send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext, KeyId: names['OTHER'] }),
    );

    await expect(opening).rejects.toMatchObject({ name: 'IncorrectKeyException' });
  });

  it('knows only the template’s keys', async () => {
    const { kms } = await start();

    const sealing = kms.send(new EncryptCommand({ KeyId: 'alias/nobody', Plaintext: secret }));

    await expect(sealing).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('Secrets Manager here', () => {
  it('returns a secret generated by the template’s rules, by name and by ARN', async () => {
    const { secrets, names } = await start();

    const byName = await secrets.send(new GetSecretValueCommand({ SecretId: 'app/page' }));
    const byArn = await secrets.send(new GetSecretValueCommand({ SecretId: names['SECRET'] }));

    expect(byName.SecretString).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(byArn.SecretString).toBe(byName.SecretString);
  });

  it('refuses an unknown secret', async () => {
    const { secrets } = await start();

    await expect(secrets.send(new GetSecretValueCommand({ SecretId: 'app/other' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

describe('the data folder', () => {
  it('keeps keys and secrets from one run to the next, for its owner alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paylink-data-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const before = await start(folder);
    const { CiphertextBlob } = await before.kms.send(
      new EncryptCommand({ KeyId: 'alias/tokens', Plaintext: secret, EncryptionContext }),
    );
    const told = await before.secrets.send(new GetSecretValueCommand({ SecretId: 'app/page' }));
    await before.runner.stop();

    const after = await start(folder);
    const opened = await after.kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
    const again = await after.secrets.send(new GetSecretValueCommand({ SecretId: 'app/page' }));

    expect(Buffer.from(opened.Plaintext!).toString()).toBe('pl_test_token');
    expect(again.SecretString).toBe(told.SecretString);
    expect((await stat(join(folder, 'keys.json'))).mode & 0o077).toBe(0);
  });
});
