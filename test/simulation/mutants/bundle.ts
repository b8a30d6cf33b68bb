import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './mutant.ts';

const root = join(import.meta.dirname, '../../..');
const entry = join(root, 'test/simulation/mutants/trial.ts');
const folder = join(root, 'node_modules/.cache/paylink/mutants');

/** Returns a file of the mutants' cache. */
export const fileOf = (name: string): string => join(folder, name);

/** Bundles `trial.ts` with the patched product source into one file; returns its path. */
export async function bundle(name: string, patches: readonly Patch[]): Promise<string> {
  const outfile = fileOf(`${name}.mjs`);
  const sources = await patched(patches);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    plugins: [using(sources)],
    logLevel: 'silent',
  });
  return outfile;
}

/** Returns the patched text of each file. Throws if a file does not contain the text of its patch exactly once. */
export async function patched(patches: readonly Patch[]): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const { file, find, put } of patches) {
    const path = join(root, file);
    const source = sources.get(path) ?? (await readFile(path, 'utf8'));
    const times = source.split(find).length - 1;
    if (times !== 1) throw new Error(`${file} contains this text ${times} times, not once:\n${find}`);
    sources.set(
      path,
      source.replace(find, () => put),
    );
  }
  return sources;
}

const using = (sources: ReadonlyMap<string, string>): Plugin => ({
  name: 'mutant',
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = sources.get(path);
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    });
  },
});
