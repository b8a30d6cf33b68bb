import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from './app.ts';
import { type Bundle, buildFunctions } from './build.ts';
import type { EnvironmentName } from '../lib/installation/environments.ts';

type Order = {
  readonly environment: EnvironmentName;
  readonly outdir: string;
  readonly context?: Omit<Context, 'env' | 'bundles'> | undefined;
  /** Whether the template is checked against CloudFormation's schemas, which takes seconds; it is unless told not to. */
  readonly validate?: boolean | undefined;
  /** Where the bundles' source maps are kept; absent: nowhere. */
  readonly maps?: string | undefined;
};

/**
 * Builds the functions and synthesizes the environment's template into `outdir`, which is emptied first.
 * Resolves to the cloud assembly's directory. Needs no network and no account.
 */
export async function synthesize(order: Order): Promise<string> {
  const { directory } = await synthesizeWithBundles(order);
  return directory;
}

/** The same, and what was bundled. The bundles have a folder of their own, so that two runs cannot meet. */
export async function synthesizeWithBundles({ environment, outdir, context, validate = true, maps }: Order) {
  const directory = resolve(outdir);
  const bundles = join(directory, 'bundles');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const [built, { paylinkApp }] = await Promise.all([buildFunctions(bundles, maps), import('./app.ts')]);
  const checks = { '@aws-cdk/core:validateAgainstDefaultRules': validate };
  paylinkApp({ outdir: directory, context: { ...checks, ...context, env: environment, bundles } }).synth();
  await rm(bundles, { recursive: true });
  return { directory, built } satisfies { directory: string; built: readonly Bundle[] };
}
