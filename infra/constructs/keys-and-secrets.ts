import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Environment } from '../../lib/installation/environments.ts';
import type { Names } from '../../lib/installation/names.ts';
import { providerNamed } from '../../lib/installation/providers.ts';
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
    const secret = (name: string, description: string) =>
      new Secret(this, `${name}-secret`, {
        secretName: names.secret(name),
        description,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy,
      });

    const keys = {
      tokens: key('tokens', 'API tokens and webhook secrets'),
      destinations: key('destinations', 'Where payouts go'),
    };
    const secrets = {
      page: secret('page', 'Signs the form tokens of the payer pages'),
      fingerprint: secret('fingerprint', 'Keyed hashes of card numbers and addresses'),
      ...Object.fromEntries(
        providerSecrets(environment).map(([name, description]) => [name, secret(name, description)]),
      ),
    };
    this.contents = { keys, secrets };
  }
}

/** Names and descriptions of the secrets of the environment's providers, and of the sandbox where it is deployed. */
function providerSecrets({ acquirer, rail, sandbox }: Environment) {
  const names = new Set([acquirer, rail, sandbox ? ('sandbox' as const) : undefined]);
  return [...names].flatMap((name) => (name ? Object.entries(providerNamed(name).secrets) : []));
}
