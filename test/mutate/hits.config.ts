import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Files that share modules would share what only loads once: each file shows its own reach when it loads them itself. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: (config.test?.projects ?? []).map((project) =>
      typeof project === 'object' && 'test' in project && project.test?.name === 'core'
        ? { ...project, test: { ...project.test, isolate: true } }
        : project,
    ),
    setupFiles: ['test/mutate/hits-setup.ts'],
  },
});
