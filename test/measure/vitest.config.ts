import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npm run measure -- conflicts`. One at a time, so that none disturbs another. */
export default defineConfig({
  test: {
    include: ['test/measure/*.measure.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    reporters: ['dot'],
  },
});
