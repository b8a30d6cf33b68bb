import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAws } from '../../infra/local/services/aws-json.ts';
import { resourcesOf } from '../../infra/local/template/resources.ts';
import { secretsInMemory } from '../../infra/local/services/secret-file.ts';
import { secretsOf, secretsTarget } from '../../infra/local/services/secrets.ts';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { rotatePageSecret } from '../../lib/payment/rotate-page-secret.ts';
import { standingOfPrevious, readUnderAny } from '../../lib/payment/page-secrets.ts';
import { readWithPrevious, replaceSecret } from '../../lib/provider/secrets-manager.ts';

const name = 'paylink/local/page';
const template = {
  Resources: {
    Page: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { Name: name, GenerateSecretString: { PasswordLength: 64 } },
    },
  },
};
const deployment = {
  stackName: 'Test',
  region: 'us-east-1',
  account: '000000000000',
  baseUrl: '',
  queueOrigin: '',
};

let server: Awaited<ReturnType<typeof serveAws>>;
let client: SecretsManagerClient;

beforeAll(async () => {
  const secrets = secretsOf(resourcesOf(template, deployment), secretsInMemory());
  server = await serveAws({ [secretsTarget]: secrets });
  client = new SecretsManagerClient(clientConfig(server.origin));
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

const accepted = (minutesLater = 0) => {
  const now = new Date(Date.now() + minutesLater * 60_000);
  return readWithPrevious(client, name, (since) => standingOfPrevious(since, now));
};
let made = 0;
const rotate = (atOnce: boolean) =>
  rotatePageSecret(
    {
      newId: (length) => String((made += 1)).padStart(length, '0'),
      pageSecret: { replace: (secret) => replaceSecret(client, name, secret) },
    },
    { atOnce },
  );

describe('the page secret', () => {
  it('is a single one until its rotation; then the previous one is accepted for two hours', async () => {
    const [first, ...none] = await accepted();
    expect(none).toEqual([]);
    await rotate(false);
    const [second] = await accepted(11);
    expect(second).toMatch(/^0{63}1$/);
    expect(await accepted(119)).toEqual([second, first]);
    expect(await accepted(121)).toEqual([second]);
  });

  it('signs once every function knows it: a signature of one page is accepted by the next, whenever each read the secrets', async () => {
    const askedBefore = await accepted();
    await rotate(false);
    for (const minutes of [0, 4, 9]) {
      const [signing] = await accepted(minutes);
      expect(askedBefore).toContain(signing);
    }
    const [signing] = await accepted(10);
    expect(askedBefore).not.toContain(signing);
    expect(await accepted(0)).toContain(signing);
  });

  it('that has leaked is no longer accepted once it was rotated with atOnce', async () => {
    const [leaked] = await accepted();
    await rotate(true);
    expect(await accepted()).not.toContain(leaked);
  });
});

describe('a signature of a page', () => {
  const readUnder = (right: string) => (secret: string) =>
    secret === right ? `read by ${secret}` : undefined;

  it('is read under the current secret, otherwise under the previous one', () => {
    expect(readUnderAny(['new', 'old'], readUnder('new'))).toBe('read by new');
    expect(readUnderAny(['new', 'old'], readUnder('old'))).toBe('read by old');
    expect(readUnderAny(['new'], readUnder('old'))).toBeUndefined();
  });
});
