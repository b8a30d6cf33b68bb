import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Compiling what it loads takes most of the time of a command, and tests run many as processes of their own.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/paylink/compiled');

/** These look at templates; in one process, because loading CDK takes most of their time. */
const onTheTemplate = ['test/infra/**/*.test.ts'];
/** These run the synthesized template, so it is made for them first. */
const onTheStack = ['test/stack/**/*.test.ts', 'test/browser/**/*.test.ts'];

/** These take most of the time: faults at every call, races, an exhaustive search. They begin when all others are done. */
const slow = ['test/simulation/**/*.test.ts', 'test/use-case/*/{faults,race}.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Of what runs in the tests' own processes: the stack's functions run as bundles in processes of theirs.
    coverage: { include: ['{functions,infra,lib}/**/*.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [...onTheTemplate, ...onTheStack, ...slow],
          // The files of a process share what they import: loading it anew for each would take half of their time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'template', include: onTheTemplate, isolate: false } },
      {
        extends: true,
        test: { name: 'stack', include: onTheStack, globalSetup: ['test/support/global-setup.ts'] },
      },
      { extends: true, test: { name: 'slow', include: slow, sequence: { groupOrder: 1 } } },
    ],
  },
});
