import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './mutant.ts';

const root = join(import.meta.dirname, '../../..');
const entry = join(root, 'test/simulation/mutants/trial.ts');
const folder = join(root, 'node_modules/.cache/paylink/mutants');

/** The trial with the product's source changed by the patches, as one file that Node runs. */
export async function bundle(name: string, patches: readonly Patch[]): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
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

/** The changed text of each file; a patch whose text is not there exactly once is a mistake of the list. */
export async function patched(patches: readonly Patch[]): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const { file, find, put } of patches) {
    const path = join(root, file);
    const source = sources.get(path) ?? (await readFile(path, 'utf8'));
    const times = source.split(find).length - 1;
    if (times !== 1) throw new Error(`${file} has ${times} times, not once, the text\n${find}`);
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
