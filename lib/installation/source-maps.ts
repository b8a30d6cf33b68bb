import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { root } from './paths.ts';

/** Where the build commands store the source maps of the bundles, which are not deployed with them. */
export const mapsDir = join(root, 'maps');

/** How many source maps of each function are retained: those of its newest builds. */
export const keptPerFunction = 20;

const suffix = '.map.gz';

type KeptMap = { readonly name: string; readonly build: string; readonly map: Uint8Array };

/** Stores the source map of a function's build, and deletes those that are older than the newest `keptPerFunction`. */
export async function keepMap(folder: string, { name, build, map }: KeptMap): Promise<void> {
  const path = join(folder, `${name}.${build}${suffix}`);
  await mkdir(folder, { recursive: true });
  // Written elsewhere and renamed, because another command may read it at the same time.
  const written = `${path}.${process.pid}`;
  await writeFile(written, await promisify(gzip)(map, { level: 1 }));
  await rename(written, path);
  const own = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`) && file.endsWith(suffix));
  const aged = await Promise.all(
    own.map(async (file) => ({ file, at: (await stat(join(folder, file))).mtimeMs })),
  );
  const old = aged.toSorted((one, other) => other.at - one.at).slice(keptPerFunction);
  await Promise.all(old.map(({ file }) => rm(join(folder, file), { force: true })));
}

/** Returns the source map of a build and its function's name; undefined when it is not stored. */
export async function keptMap(
  folder: string,
  build: string,
): Promise<{ readonly name: string; readonly map: SourceMapPayload } | undefined> {
  const files = await readdir(folder).catch(() => []);
  const file = files.find((each) => each.endsWith(`.${build}${suffix}`));
  if (file === undefined) return undefined;
  const map: SourceMapPayload = JSON.parse(
    (await promisify(gunzip)(await readFile(join(folder, file)))).toString(),
  );
  return { name: file.slice(0, -`.${build}${suffix}`.length), map };
}
