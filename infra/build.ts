import { build as esbuild } from 'esbuild';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bundlesDir, functionNames, root } from './paths.ts';

export type Bundle = { readonly name: string; readonly bytes: number };

/**
 * Bundles every function with one esbuild call, each to `<outdir>/<name>/index.js`.
 * CommonJS, because importing Node's built-ins as ES modules costs about 35 ms of each cold start;
 * ES sources of the dependencies, because only those can be shaken; maps hold relative paths and no sources,
 * so that the same commit gives the same bytes on every machine.
 */
export async function buildFunctions(outdir: string = bundlesDir): Promise<readonly Bundle[]> {
  const names = functionNames();
  await mkdir(outdir, { recursive: true });
  await removeOthers(outdir, names);
  await esbuild({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return Promise.all(names.map((name) => measure(outdir, name)));
}

/** One line per bundle, the largest first. */
export function sizeTable(bundles: readonly Bundle[]): string {
  const width = Math.max(...bundles.map(({ name }) => name.length));
  return bundles
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes }) => `${name.padEnd(width)}  ${kilobytes(bytes).padStart(8)}`)
    .join('\n');
}

/** The closing sentence of `npm run build`. */
export function buildSentence(bundles: readonly Bundle[]): string {
  const total = bundles.reduce((sum, { bytes }) => sum + bytes, 0);
  return `Bundled ${bundles.length} functions, ${kilobytes(total)} in all.`;
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

async function measure(outdir: string, name: string): Promise<Bundle> {
  const { size } = await stat(join(outdir, name, 'index.js'));
  return { name, bytes: size };
}

/** A function that was renamed or removed must not live on as an old bundle. */
async function removeOthers(outdir: string, names: readonly string[]): Promise<void> {
  const old = (await readdir(outdir)).filter((entry) => !names.includes(entry));
  await Promise.all(old.map((entry) => rm(join(outdir, entry), { recursive: true })));
}

if (import.meta.main) {
  const bundles = await buildFunctions();
  if (process.argv.includes('--sizes')) console.log(sizeTable(bundles));
  console.log(buildSentence(bundles));
}
