import { randomBytes } from 'node:crypto';
import { AwsError } from './aws-error.ts';
import { ofType, type Resource } from '../template/resources.ts';
import type { KeepSecret } from './secret-file.ts';

/** A symmetric key of the template, with its ids, ARNs and aliases. */
export type Key = {
  readonly id: string;
  readonly arn: string;
  readonly names: ReadonlySet<string>;
  readonly material: Buffer;
};

/** Returns the key with this id, ARN or alias. */
export function keyNamed(keys: readonly Key[], name: string): Key {
  const key = keys.find(({ names }) => names.has(name));
  if (key) return key;
  throw new AwsError('NotFoundException', `Key '${name}' does not exist`);
}

/** Returns the template's keys. Key material is generated once and stored. */
export function keysOf(resources: readonly Resource[], keepSecret: KeepSecret): readonly Key[] {
  const aliases = ofType(resources, 'AWS::KMS::Alias');
  return ofType(resources, 'AWS::KMS::Key').map(({ identity }) => {
    const { ref: id, attributes } = identity;
    const arn = attributes['Arn'] ?? id;
    const own = aliases.filter(({ properties }) => [id, arn].includes(String(properties['TargetKeyId'])));
    const aliasNames = own.map((alias) => alias.identity.ref);
    const aliasArns = aliasNames.map((alias) => arn.replace(`key/${id}`, alias));
    const material = keepSecret(`kms ${id}`, () => randomBytes(32).toString('base64'));
    return {
      id,
      arn,
      names: new Set([id, arn, ...aliasNames, ...aliasArns]),
      material: Buffer.from(material, 'base64'),
    };
  });
}
