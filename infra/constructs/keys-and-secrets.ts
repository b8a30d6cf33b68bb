import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Names } from '../../lib/installation/names.ts';
import type { SharedResources } from './shared-resources.ts';
import { removalOf } from './removal.ts';

type Props = { readonly names: Names; readonly keepsData: boolean; readonly sandbox: boolean };

/** The keys that seal what must be opened again, and the secrets that only functions know. */
export class KeysAndSecrets extends Construct {
  readonly contents: Pick<SharedResources, 'keys' | 'secrets'>;

  constructor(scope: Construct, id: string, { names, keepsData, sandbox }: Props) {
    super(scope, id);
    const removalPolicy = removalOf({ keepsData });
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
      ...(sandbox && { sandbox: secret('sandbox', 'Shared by the service and the sandbox provider') }),
    };
    this.contents = { keys, secrets };
  }
}
