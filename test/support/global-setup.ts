import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../infra/synth.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the local environment's cloud assembly: `inject('assembly')`. */
    readonly assembly: string;
  }
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/paylink');

/** Bundles the functions and synthesizes the local template, once per run and in its own folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(cache, { recursive: true });
  await removeLeftovers();
  const outdir = join(cache, `run-${process.pid}`);
  project.provide('assembly', await synthesize({ environment: 'local', outdir }));
  return () => rm(outdir, { recursive: true, force: true });
}

/** Removes the folders of runs that were killed before they could clean up. */
async function removeLeftovers(): Promise<void> {
  const left = (await readdir(cache)).filter(
    (name) => name.startsWith('run-') && !isAlive(Number(name.slice(4))),
  );
  await Promise.all(left.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
