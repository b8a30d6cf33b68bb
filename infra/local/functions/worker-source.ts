import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';

let source: string | undefined;

/** Returns the worker's JavaScript. Types are stripped once here: in each thread it would take 30 ms. */
export function workerSource(): string {
  source ??= transformSync(readFileSync(new URL('./worker.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node24',
  }).code;
  return source;
}
