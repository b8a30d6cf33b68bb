import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import type { Tree } from './tree.ts';

const report = z.object({
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), startTime: z.number(), endTime: z.number() }),
  ),
});

/** The result of one test file. */
export type Ran = { readonly file: string; readonly passed: boolean; readonly ms: number };
/** `why`: the first file that failed, or the error outside all test files; undefined when everything passed. */
export type Outcome = { readonly why: string | undefined; readonly files: readonly Ran[] };

type Options = {
  readonly words: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
};

/** Each run has its own process group, so that its workers and servers end with it. */
const running = new Set<number>();

/** Ends all test runs, for example when the command is interrupted. */
export function endTests(): void {
  for (const pid of running) endGroup(pid);
}

/** Runs vitest in the tree. A run over the time limit is killed and counts as failed, because a mutant may loop forever. */
export async function runTests(
  tree: Tree,
  { words, variables = {}, limitMs = 900_000 }: Options,
): Promise<Outcome> {
  const json = join(tree.folder, '.mutate-report.json');
  await rm(json, { force: true });
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${json}`, ...words],
    { cwd: tree.folder, stdio: 'ignore', detached: true, env: { ...process.env, ...variables } },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('The tests could not be started');
  running.add(pid);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endGroup(pid);
  }, limitMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  endGroup(pid);
  running.delete(pid);
  const text = await readFile(json, 'utf8').catch(() => '{"testResults":[]}');
  const files = report.parse(JSON.parse(text)).testResults.map(({ name, status, startTime, endTime }) => ({
    file: relative(tree.folder, name),
    passed: status === 'passed',
    ms: endTime - startTime,
  }));
  const failed = files.find(({ passed }) => !passed)?.file;
  const outside = isOver ? 'a timeout' : 'an error outside all tests';
  return { why: code === 0 ? undefined : (failed ?? outside), files };
}

/** The runner with its workers and the servers that they started. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended already.
  }
}
