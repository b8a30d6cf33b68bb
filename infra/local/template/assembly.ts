import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { joined, nestedStack } from './nested.ts';
import type { Template, TemplateResource } from './template.ts';
import { messageOf, CommandError } from '../../../lib/installation/command-error.ts';

/** A cloud assembly, the output of `cdk synth`: one stack with its nested stacks, and the functions' bundles. */
export type Assembly = {
  readonly stackName: string;
  /** All templates joined into one. */
  readonly template: Template;
  /** Each template separately: the root's under the stack name, a nested one under its logical id. */
  readonly templates: ReadonlyMap<string, Template>;
  /** The folder of the functions' compiled code, which their threads share. It goes with the assembly. */
  readonly compiled: string;
  /** Returns the folder for the S3 key of a function's code. */
  readonly bundleOf: (key: string) => string;
};

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z.optional(
        z.object({
          templateFile: z.optional(z.string()),
          stackName: z.optional(z.string()),
          file: z.optional(z.string()),
        }),
      ),
    }),
  ),
});

const assetsSchema = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.optional(z.string()) }) })),
});

const templateSchema = z.object({
  Parameters: z.exactOptional(z.record(z.string(), z.object({ Default: z.exactOptional(z.unknown()) }))),
  Mappings: z.exactOptional(z.record(z.string(), z.unknown())),
  Conditions: z.exactOptional(z.record(z.string(), z.unknown())),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.exactOptional(z.record(z.string(), z.unknown())),
      Condition: z.exactOptional(z.string()),
      DeletionPolicy: z.exactOptional(z.string()),
      DependsOn: z.exactOptional(z.unknown()),
    }),
  ),
  Outputs: z.exactOptional(z.record(z.string(), z.object({ Value: z.optional(z.unknown()) }))),
});

/** Reads a cloud assembly. Throws unless it has exactly one stack, not counting nested ones. */
export function readAssembly(folder: string): Assembly {
  const { artifacts } = read(folder, 'manifest.json', manifestSchema);
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack, ...others] = stacks;
  if (!stack || others.length > 0) {
    throw new CommandError(`${folder} has ${stacks.length} stacks, but the local runner runs exactly one.`);
  }
  const [id, { properties }] = stack;
  const stackName = properties?.stackName ?? id;
  const manifests = Object.values(artifacts).filter(({ type }) => type === 'cdk:asset-manifest');
  const assets = assetsOf(
    folder,
    manifests.flatMap((one) => one.properties?.file ?? []),
  );
  const fileOf = (key: string): string => assets.get(assetOf(key)) ?? missing(key);
  const templateOf = (nested: TemplateResource): Template =>
    read(folder, fileOf(templateKey(nested)), templateSchema);
  const own = read(folder, properties?.templateFile ?? `${id}.template.json`, templateSchema);
  return {
    stackName,
    template: joined(own, templateOf),
    templates: new Map([[stackName, own], ...nestedIn(own, templateOf)]),
    compiled: resolve(folder, 'compiled'),
    bundleOf: (key) => resolve(folder, fileOf(key)),
  };
}

const nestedIn = (
  template: Template,
  templateOf: (nested: TemplateResource) => Template,
): readonly (readonly [string, Template])[] =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === nestedStack)
    .flatMap(([id, resource]) => {
      const own = templateOf(resource);
      return [[id, own] as const, ...nestedIn(own, templateOf)];
    });

/** Returns the S3 key at the end of a nested stack's template URL, whatever expressions precede it. */
const templateKey = ({ Properties }: TemplateResource): string =>
  /([\w.-]+\.json)\W*$/.exec(JSON.stringify(Properties?.['TemplateURL'] ?? ''))?.[1] ?? '';

/** Returns the asset's hash, which ends the S3 key of a function's code or of a template. */
const assetOf = (key: string): string => key.replace(/^.*\//, '').replace(/\.(zip|json)$/, '');

/** Returns the path of each asset in the assembly's folder, by hash. */
function assetsOf(folder: string, manifests: readonly string[]): ReadonlyMap<string, string> {
  const assets = manifests.flatMap((file) => Object.entries(read(folder, file, assetsSchema).files));
  return new Map(assets.map(([hash, { source }]) => [hash, source.path ?? '']));
}

function missing(key: string): never {
  throw new CommandError(`The assembly has no file "${key}": synthesize it again with npm run synth.`);
}

function read<T>(folder: string, file: string, schema: z.ZodMiniType<T>): T {
  const path = join(folder, file);
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    throw new CommandError(
      `The local runner cannot read ${path} as part of a cloud assembly: ${oneLine(thrown)}`,
    );
  }
}

const oneLine = (thrown: unknown): string =>
  thrown instanceof z.core.$ZodError
    ? thrown.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : messageOf(thrown);
