import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Environment } from '../../lib/installation/environments.ts';
import type { Names } from '../../lib/installation/names.ts';
import { deployedNames, providerNamed } from '../../lib/installation/providers.ts';
import type { SharedResources } from './shared-resources.ts';
import { removalOf } from './removal.ts';

type Props = { readonly names: Names; readonly environment: Environment };

/** The KMS keys that seal values, and the secrets that only functions read. */
export class KeysAndSecrets extends Construct {
  readonly contents: Pick<SharedResources, 'keys' | 'secrets'>;

  constructor(scope: Construct, id: string, { names, environment }: Props) {
    super(scope, id);
    const removalPolicy = removalOf(environment);
    const key = (name: string, description: string) =>
      new Key(this, name, { alias: names.alias(name), description, enableKeyRotation: true, removalPolicy });
    const secret = (name: string, { description, credentials }: SecretSpec) =>
      new Secret(this, `${name}-secret`, {
        secretName: names.secret(name),
        description,
        generateSecretString: {
          passwordLength: 64,
          excludePunctuation: true,
          ...(credentials && jsonValue(credentials)),
        },
        removalPolicy,
      });

    const keys = {
      tokens: key('tokens', 'API tokens and webhook secrets'),
      destinations: key('destinations', 'Where payouts go'),
    };
    const secrets = {
      page: secret('page', { description: 'Signs the form tokens of the payer pages' }),
      fingerprint: secret('fingerprint', { description: 'Keyed hashes of card numbers and addresses' }),
      ...Object.fromEntries(providerSecrets(environment).map(([name, spec]) => [name, secret(name, spec)])),
    };
    this.contents = { keys, secrets };
  }
}

type ProviderSecretSpec = ReturnType<typeof providerNamed>['secrets'][string];
type SecretSpec = Pick<ProviderSecretSpec, 'description' | 'credentials'>;

/** A JSON object with an empty id and a random key, which `provider set` replaces. */
const jsonValue = ({ id, secretKey }: NonNullable<SecretSpec['credentials']>) => ({
  secretStringTemplate: JSON.stringify({ [id]: '' }),
  generateStringKey: secretKey,
});

/** Names and specifications of the secrets of the deployed providers. */
const providerSecrets = ({ providers }: Environment): readonly (readonly [string, ProviderSecretSpec])[] =>
  deployedNames(providers).flatMap((name) => Object.entries(providerNamed(name).secrets));
