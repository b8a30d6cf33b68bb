import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Template } from './template.ts';
import { messageOf, CommandError } from '../../../lib/installation/command-error.ts';

/** What `cdk synth` wrote: one stack's template and where its functions' bundles lie. */
export type Assembly = {
  readonly stackName: string;
  readonly template: Template;
  /** The folder behind the S3 key of a function's code. */
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
    }),
  ),
});

/** Reads a cloud assembly that holds exactly one stack. */
export async function readAssembly(folder: string): Promise<Assembly> {
  const { artifacts } = await read(folder, 'manifest.json', manifestSchema);
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack, ...others] = stacks;
  if (!stack || others.length > 0) {
    throw new CommandError(`${folder} holds ${stacks.length} stacks, but the local runner runs exactly one.`);
  }
  const [id, { properties }] = stack;
  const template = await read(folder, properties?.templateFile ?? `${id}.template.json`, templateSchema);
  const manifests = Object.values(artifacts).filter(({ type }) => type === 'cdk:asset-manifest');
  const bundles = await bundlesOf(
    folder,
    manifests.flatMap((one) => one.properties?.file ?? []),
  );
  return {
    stackName: properties?.stackName ?? id,
    template,
    bundleOf: (key) => bundles.get(assetOf(key)) ?? missing(key),
  };
}

/** An asset is called by its hash; the S3 key of a function's code ends in it. */
const assetOf = (key: string): string => key.replace(/^.*\//, '').replace(/\.zip$/, '');

async function bundlesOf(folder: string, manifests: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const reads = manifests.map((file) => read(folder, file, assetsSchema));
  const assets = (await Promise.all(reads)).flatMap(({ files }) => Object.entries(files));
  return new Map(assets.map(([hash, { source }]) => [hash, resolve(folder, source.path ?? '')]));
}

function missing(key: string): never {
  throw new CommandError(`The assembly has no bundle "${key}": synthesize it again with npm run synth.`);
}

async function read<T>(folder: string, file: string, schema: z.ZodMiniType<T>): Promise<T> {
  const path = join(folder, file);
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (thrown) {
    throw new CommandError(
      `${path} is no part of a cloud assembly that the local runner can read: ${oneLine(thrown)}`,
    );
  }
}

const oneLine = (thrown: unknown): string =>
  thrown instanceof z.core.$ZodError
    ? thrown.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : messageOf(thrown);
