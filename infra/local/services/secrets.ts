import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './aws-json.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';
import type { KeepSecret } from './secret-file.ts';

type Version = { readonly stage: 'AWSCURRENT' | 'AWSPREVIOUS'; readonly value: string; readonly since: Date };

/** A secret of the template with its versions, which are stored with the local data. */
type Secret = {
  readonly name: string;
  readonly arn: string;
  readonly version: (stage: Version['stage']) => Version | undefined;
  readonly put: (value: string) => Version;
};

const stages = z.enum(['AWSCURRENT', 'AWSPREVIOUS']);
const getInput = z.object({ SecretId: z.string(), VersionStage: z._default(stages, 'AWSCURRENT') });
const putInput = z.object({ SecretId: z.string(), SecretString: z.string() });

/** Strict, so that an unsupported option is an error. */
const generation = z.strictObject({
  PasswordLength: z._default(z.number(), 32),
  ExcludeCharacters: z._default(z.string(), ''),
  ExcludeLowercase: z._default(z.boolean(), false),
  ExcludeUppercase: z._default(z.boolean(), false),
  ExcludeNumbers: z._default(z.boolean(), false),
  ExcludePunctuation: z._default(z.boolean(), false),
  IncludeSpace: z._default(z.boolean(), false),
  /** A JSON object to which the generated value is added under `GenerateStringKey`. */
  SecretStringTemplate: z.optional(z.string()),
  GenerateStringKey: z.optional(z.string()),
});

const properties = z.object({
  SecretString: z.optional(z.string()),
  GenerateSecretString: z.optional(generation),
});

/** Secrets Manager for the template's secrets, by name or ARN. The template defines the first version. */
export function secretsOf(resources: readonly Resource[], keepSecret: KeepSecret): AwsService {
  const secrets = ofType(resources, 'AWS::SecretsManager::Secret').map((resource) =>
    secretOf(resource, keepSecret),
  );
  const named = (id: string): Secret =>
    secrets.find(({ name, arn }) => [name, arn].includes(id)) ?? notFound('the specified secret.');
  return {
    GetSecretValue: (request) => {
      const { SecretId, VersionStage } = getInput.parse(request);
      const secret = named(SecretId);
      const version =
        secret.version(VersionStage) ??
        notFound(`the specified secret value for staging label: ${VersionStage}`);
      return { ...describe(secret, version), SecretString: version.value };
    },
    PutSecretValue: (request) => {
      const { SecretId, SecretString } = putInput.parse(request);
      const secret = named(SecretId);
      return describe(secret, secret.put(SecretString));
    },
  };
}

function notFound(what: string): never {
  throw new AwsError('ResourceNotFoundException', `Secrets Manager can't find ${what}`);
}

const describe = ({ arn, name }: Secret, { stage, since }: Version) => ({
  ARN: arn,
  Name: name,
  VersionId: `local-${since.getTime()}`.padEnd(36, '0'),
  VersionStages: [stage],
  CreatedDate: since.getTime() / 1000,
});

/** The service's name in `X-Amz-Target`. */
export const secretsTarget = 'secretsmanager';

function secretOf(resource: Resource, keepSecret: KeepSecret): Secret {
  const parsed = properties.safeParse(resource.properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot create the secret ${resource.id} of the template.`);
  const { SecretString, GenerateSecretString } = parsed.data;
  const arn = resource.identity.ref;
  const name = arn.replace(/^.*:secret:/, '').replace(/-[^-]*$/, '');
  const key = `secret ${name}`;
  const generate = () => SecretString ?? generated(GenerateSecretString ?? generation.parse({}));
  const current = (): Version => ({
    stage: 'AWSCURRENT',
    value: keepSecret(key, generate),
    since: new Date(keepSecret(`${key} since`, () => new Date().toISOString())),
  });
  const previous = (): Version | undefined => {
    const value = keepSecret(`${key} previous`, () => '');
    return value === '' ? undefined : { stage: 'AWSPREVIOUS', value, since: new Date(0) };
  };
  const put = (value: string): Version => {
    keepSecret.replace(`${key} previous`, current().value);
    keepSecret.replace(key, value);
    keepSecret.replace(`${key} since`, new Date().toISOString());
    return current();
  };
  // Read now, so that a damaged file is reported at the start.
  current();
  return { name, arn, version: (stage) => (stage === 'AWSCURRENT' ? current() : previous()), put };
}

function generated(rules: z.infer<typeof generation>): string {
  const { SecretStringTemplate: template, GenerateStringKey: key } = rules;
  if (template === undefined || key === undefined) return passwordOf(rules);
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(template));
  return JSON.stringify({ ...fields, [key]: passwordOf(rules) });
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
