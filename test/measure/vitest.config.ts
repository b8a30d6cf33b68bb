import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npm run measure -- conflicts`. They run one at a time so as not to affect each other. */
export default defineConfig({
  test: {
    include: ['test/measure/*.measure.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    reporters: ['dot'],
  },
});
