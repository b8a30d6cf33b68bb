import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from './app.ts';
import { type Bundle, buildFunctions } from './build.ts';
import type { EnvironmentName } from '../lib/installation/environments.ts';

type Order = {
  readonly environment: EnvironmentName;
  readonly outdir: string;
  readonly context?: Omit<Context, 'env' | 'bundles'>;
  /** Whether to validate the template against CloudFormation's schemas, which takes seconds. Default: true. */
  readonly validate?: boolean;
  /** The folder to store the bundles' source maps in. Absent: they are not stored. */
  readonly maps?: string;
};

/**
 * Bundles the functions and synthesizes the environment's template into `outdir`, which is emptied first.
 * Returns the cloud assembly's directory. Needs no network and no AWS account.
 */
export async function synthesize(order: Order): Promise<string> {
  const { directory } = await synthesizeWithBundles(order);
  return directory;
}

/** As `synthesize`, and returns the bundles too. They are built inside `outdir`, so that concurrent runs do not conflict. */
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
