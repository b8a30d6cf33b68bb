import { build as esbuild, type OutputFile } from 'esbuild';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { command } from './command.ts';
import { bundlesDir, functionNames, root } from './paths.ts';

export type Bundle = { readonly name: string; readonly bytes: number };

/**
 * Bundles every function with one esbuild call, each to `<outdir>/<name>/index.js`.
 * CommonJS, because importing Node's built-ins as ES modules costs about 35 ms of each cold start;
 * ES sources of the dependencies, because only those can be shaken; maps name their sources from the root and
 * do not hold them, so that the same commit gives the same bytes wherever it is built.
 */
export async function buildFunctions(outdir: string = bundlesDir): Promise<readonly Bundle[]> {
  const names = functionNames();
  await mkdir(outdir, { recursive: true });
  await removeOthers(outdir, names);
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    write: false,
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
  await Promise.all(
    outputFiles.map(({ path, text }) => save(path, path.endsWith('.map') ? fromRoot(path, text) : text)),
  );
  return names.map((name) => ({ name, bytes: sizeOf(outputFiles, join(outdir, name, 'index.js')) }));
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

/** The map's sources named from the root, wherever the bundle was written to. */
function fromRoot(path: string, map: string): string {
  const { sources, ...rest }: { sources: readonly string[] } = JSON.parse(map);
  return JSON.stringify({
    ...rest,
    sources: sources.map((source) => relative(root, resolve(dirname(path), source))),
  });
}

async function save(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const sizeOf = (files: readonly OutputFile[], path: string): number =>
  files.find((file) => file.path === path)?.contents.length ?? 0;

/** A function that was renamed or removed must not live on as an old bundle. */
async function removeOthers(outdir: string, names: readonly string[]): Promise<void> {
  const old = (await readdir(outdir)).filter((entry) => !names.includes(entry));
  await Promise.all(old.map((entry) => rm(join(outdir, entry), { recursive: true })));
}

async function run(): Promise<number> {
  const bundles = await buildFunctions();
  if (process.argv.includes('--sizes')) console.log(sizeTable(bundles));
  console.log(buildSentence(bundles));
  return 0;
}

if (import.meta.main) await command(run);
