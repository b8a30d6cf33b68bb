import { build as esbuild } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { command } from './command.ts';
import { keepMap, mapsDir } from '../lib/installation/source-maps.ts';
import { bundlesDir, functionNames, root } from '../lib/installation/paths.ts';

/** A function's bundle. `build` is a hash of its content. */
export type Bundle = { readonly name: string; readonly bytes: number; readonly build: string };

/**
 * Credential providers that the SDK loads only when the environment variables contain no credentials. On Lambda they
 * always do. Without these packages a bundle is a third smaller and starts faster.
 */
const otherCredentials = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/**
 * Bundles every function to `<outdir>/<name>/index.js`, with one esbuild call.
 * The output is CommonJS, because importing Node's built-in modules as ES modules adds about 35 ms to each cold start.
 * Dependencies are bundled from their ES modules, which esbuild can tree-shake. The project's own modules have no side
 * effects (`sideEffects` in package.json), so an unused module is dropped with everything it imports.
 * Builds are reproducible: the same commit gives the same bytes in every `outdir`. Source maps are not deployed. They are
 * stored in `mapsFolder`, if given, with source paths relative to dist/.
 */
export async function buildFunctions(
  outdir: string = bundlesDir,
  mapsFolder?: string,
): Promise<readonly Bundle[]> {
  const names = functionNames();
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: bundlesDir,
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: otherCredentials,
    sourcemap: 'external',
    define: { PAYLINK_BUILD: JSON.stringify(buildToCome) },
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
  });
  await removeOthers(outdir, names);
  const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'));
  const maps = new Map(outputFiles.map(({ path, contents }) => [path, contents] as const));
  return Promise.all(
    scripts.map(async ({ path, contents }) => {
      const name = basename(dirname(path));
      const build = buildOf(contents);
      await save(join(outdir, relative(bundlesDir, path)), stamped(contents, build));
      const map = maps.get(`${path}.map`);
      if (mapsFolder !== undefined && map) await keepMap(mapsFolder, { name, build, map });
      return { name, bytes: contents.length, build };
    }),
  );
}

/** Placeholder for the build id, of the same length, so that replacing it keeps the source map's positions valid. */
const buildToCome = 'build_of_it!';

const buildOf = (contents: Uint8Array): string =>
  createHash('sha256').update(contents).digest('hex').slice(0, buildToCome.length);

const stamped = (contents: Uint8Array, build: string): string =>
  Buffer.from(contents).toString().replaceAll(buildToCome, build);

/** Returns a table with one line per bundle, the largest first. */
export function sizeTable(bundles: readonly Bundle[]): string {
  const width = Math.max(...bundles.map(({ name }) => name.length));
  return bundles
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes }) => `${name.padEnd(width)}  ${kilobytes(bytes).padStart(8)}`)
    .join('\n');
}

/** Returns the final message of `npm run build`. */
export function buildSentence(bundles: readonly Bundle[]): string {
  const total = bundles.reduce((sum, { bytes }) => sum + bytes, 0);
  return `Bundled ${bundles.length} functions, ${kilobytes(total)} in all.`;
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

async function save(path: string, contents: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}

/** Deletes the bundles of functions that were renamed or removed. */
async function removeOthers(outdir: string, names: readonly string[]): Promise<void> {
  await mkdir(outdir, { recursive: true });
  const old = (await readdir(outdir)).filter((entry) => !names.includes(entry));
  await Promise.all(old.map((entry) => rm(join(outdir, entry), { recursive: true })));
}

async function run(): Promise<number> {
  const bundles = await buildFunctions(bundlesDir, mapsDir);
  if (process.argv.includes('--sizes')) console.log(sizeTable(bundles));
  console.log(buildSentence(bundles));
  return 0;
}

if (import.meta.main) await command(run);
