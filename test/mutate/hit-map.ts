import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { root } from '../../lib/installation/paths.ts';
import { functionsOf, type Mutant } from './mutants.ts';
import { type Ran, runTests } from './run-tests.ts';
import type { Tree } from './tree.ts';

/** What one test file reaches: by source file, the start offsets of the functions that it calls, -1 for the module itself. */
const entry = z.object({
  /** Digest of the test file and of everything that tests share; the entry is stale when it changes. */
  of: z.string(),
  ms: z.number(),
  passed: z.boolean(),
  reached: z.record(z.string(), z.object({ of: z.string(), starts: z.array(z.number()) })),
});
const cache = z.record(z.string(), entry);
export type HitMap = z.infer<typeof cache>;

const cacheFile = join(root, 'node_modules/.cache/paylink-mutate/hit-map.json');
const preload = join(root, 'test/mutate/hits-preload.mjs');

const digest = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('base64url').slice(0, 16);

const isOfTemplate = (test: string): boolean => test.startsWith('test/infra/');
const isTest = (file: string): boolean => file.endsWith('.test.ts');
const isQuick = (test: string): boolean =>
  isTest(test) && !/^test\/(stack|browser|simulation)\/|\/(faults|race)\.test\.ts$/.test(test);

/**
 * Determines which quick tests reach which functions. Cached by content: only test files that changed, or that reach a
 * changed source, run again, in a tree with instrumented functions.
 */
export async function hitMap(
  tree: Tree,
  files: readonly string[],
  sources: readonly string[],
): Promise<HitMap> {
  const known = cache.parse(JSON.parse(await readFile(cacheFile, 'utf8').catch(() => '{}')));
  const texts = new Map(
    await Promise.all(sources.map(async (file) => [file, await tree.read(file)] as const)),
  );
  const shared = files.filter((file) =>
    /^(test\/(?!mutate|measure).*(?<!\.test)\.ts|package-lock\.json|vitest\.config\.ts)$/.test(file),
  );
  const all = digest(...(await Promise.all(shared.map((file) => tree.read(file)))));
  const tests = files.filter(isQuick);
  const map: HitMap = {};
  const stale: string[] = [];
  for (const test of tests) {
    const found = known[test];
    const of = digest(all, await tree.read(test));
    const isFresh =
      found?.of === of &&
      Object.entries(found.reached).every(([file, { of: then }]) => digest(texts.get(file) ?? '') === then);
    if (found && isFresh) map[test] = found;
    else stale.push(test);
  }
  if (stale.length > 0) {
    console.log(`Determining what ${stale.length} of ${tests.length} test files reach.`);
    const { ran, hits } = await marked(tree, texts, stale);
    for (const { file, passed, ms } of ran) {
      const reached = Object.fromEntries(
        [...(hits.get(file) ?? [])].map(([source, starts]) => [
          source,
          { of: digest(texts.get(source) ?? ''), starts: [...starts] },
        ]),
      );
      map[file] = { of: digest(all, await tree.read(file)), ms, passed, reached };
    }
    await mkdir(dirname(cacheFile), { recursive: true });
    const good = Object.entries(map).filter(([, { passed }]) => passed);
    await writeFile(cacheFile, JSON.stringify(Object.fromEntries(good)));
  }
  return map;
}

type Hits = Map<string, Map<string, Set<number>>>;

async function marked(tree: Tree, texts: ReadonlyMap<string, string>, tests: readonly string[]) {
  const folder = join(tree.folder, '.hits');
  await mkdir(folder);
  for (const [file, text] of texts) await tree.write(file, withMarks(file, text));
  try {
    const variables = { PAYLINK_HITS: folder, NODE_OPTIONS: `--import=${preload}` };
    const words = ['--config=test/mutate/hits.config.ts', '--root=.', ...tests];
    const { files: ran } = await runTests(tree, { words, variables });
    return { ran, hits: await hitsIn(folder) };
  } finally {
    for (const [file, text] of texts) await tree.write(file, text);
  }
}

async function hitsIn(folder: string): Promise<Hits> {
  const hits: Hits = new Map();
  for (const name of await readdir(folder)) {
    const reached = new Map<string, Set<number>>();
    for (const line of (await readFile(join(folder, name), 'utf8')).trim().split('\n')) {
      const [source = '', start] = line.split('\t');
      reached.set(source, (reached.get(source) ?? new Set()).add(Number(start)));
    }
    hits.set(decodeURIComponent(name), reached);
  }
  return hits;
}

/** Instruments the program: every function reports that it was called. */
export function withMarks(file: string, text: string): string {
  const mark = (start: number) => `globalThis.__hit?.(${JSON.stringify(file)},${start})`;
  const inserts = functionsOf(file, text).flatMap(({ start, body, isExpression }) =>
    isExpression
      ? [
          { at: body.start, text: `(${mark(start)},` },
          { at: body.end, text: ')' },
        ]
      : [{ at: body.start + 1, text: `${mark(start)};` }],
  );
  const changed = inserts
    .toSorted((one, other) => other.at - one.at)
    .reduce((whole, { at, text: more }) => whole.slice(0, at) + more + whole.slice(at), text);
  return `${mark(-1)};${changed}`;
}

/** Returns the quick tests that reach a mutant; those with the smallest reach come first, because they are the most likely to fail. */
export function testsOf(map: HitMap, { file, within }: Mutant): readonly string[] {
  const size = ({ reached }: HitMap[string]) =>
    Object.values(reached).reduce((sum, { starts }) => sum + starts.length, 0);
  const isReached = (test: string, { reached }: HitMap[string]) =>
    // Test files of one process share a module, which is loaded once.
    reached[file]?.starts.includes(within) || (within === -1 && isOfTemplate(test) && isLoadedBy(map, file));
  return Object.entries(map)
    .filter(([test, found]) => found.passed && isReached(test, found))
    .toSorted(([, one], [, other]) => one.ms * Math.sqrt(size(one)) - other.ms * Math.sqrt(size(other)))
    .map(([test]) => test);
}

const isLoadedBy = (map: HitMap, file: string): boolean =>
  Object.entries(map).some(([test, { reached }]) => isOfTemplate(test) && reached[file] !== undefined);

export const msOf = (map: HitMap, tests: readonly string[]): number =>
  tests.reduce((sum, test) => sum + (map[test]?.ms ?? 0), 0);

export const failing = (ran: readonly Ran[]): readonly string[] =>
  ran.filter(({ passed }) => !passed).map(({ file }) => file);
