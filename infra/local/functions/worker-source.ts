import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';

let source: string | undefined;

/** The worker's JavaScript. Its types are taken out here, once: done in each thread, that alone takes 30 ms. */
export function workerSource(): string {
  source ??= transformSync(readFileSync(new URL('./worker.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node24',
  }).code;
  return source;
}
