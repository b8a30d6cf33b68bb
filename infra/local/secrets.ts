import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './aws-json.ts';
import { ofType, type Resource } from './resources.ts';
import { CommandError } from '../command-error.ts';
import type { KeepSecret } from './secret-file.ts';

type Secret = { readonly name: string; readonly arn: string; readonly value: string };

const input = z.object({ SecretId: z.string() });

/** Strict, so that a rule that is not known here is refused. */
const generation = z.strictObject({
  PasswordLength: z._default(z.number(), 32),
  ExcludeCharacters: z._default(z.string(), ''),
  ExcludeLowercase: z._default(z.boolean(), false),
  ExcludeUppercase: z._default(z.boolean(), false),
  ExcludeNumbers: z._default(z.boolean(), false),
  ExcludePunctuation: z._default(z.boolean(), false),
  IncludeSpace: z._default(z.boolean(), false),
});

const properties = z.object({
  SecretString: z.optional(z.string()),
  GenerateSecretString: z.optional(generation),
});

/** Secrets Manager for the template's secrets, by name or ARN; each has one version, made as the template says. */
export function secretsOf(resources: readonly Resource[], keepSecret: KeepSecret): AwsService {
  const secrets = ofType(resources, 'AWS::SecretsManager::Secret').map((resource) =>
    secretOf(resource, keepSecret),
  );
  return {
    GetSecretValue: (request) => {
      const { SecretId } = input.parse(request);
      const secret = secrets.find(({ name, arn }) => [name, arn].includes(SecretId));
      if (!secret)
        throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return {
        ARN: secret.arn,
        Name: secret.name,
        SecretString: secret.value,
        VersionId: 'local-00000000-0000-0000-0000-000000000000',
        VersionStages: ['AWSCURRENT'],
      };
    },
  };
}

/** The service's name on the wire. */
export const secretsTarget = 'secretsmanager';

function secretOf(resource: Resource, keepSecret: KeepSecret): Secret {
  const parsed = properties.safeParse(resource.properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot make the secret ${resource.id} of the template.`);
  const { SecretString, GenerateSecretString } = parsed.data;
  const arn = resource.identity.ref;
  const name = arn.replace(/^.*:secret:/, '').replace(/-[^-]*$/, '');
  const value =
    SecretString ??
    keepSecret(`secret ${name}`, () => passwordOf(GenerateSecretString ?? generation.parse({})));
  return { name, arn, value };
}

function passwordOf(rules: z.infer<typeof generation>): string {
  const sets = [
    rules.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    rules.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    rules.ExcludeNumbers ? '' : '0123456789',
    rules.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    rules.IncludeSpace ? ' ' : '',
  ];
  const letters = Array.from(sets.join('')).filter((letter) => !rules.ExcludeCharacters.includes(letter));
  return Array.from({ length: rules.PasswordLength }, () => letters[randomInt(letters.length)]).join('');
}
