import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

export default mergeConfig(config, { test: { setupFiles: ['test/mutate/hits-setup.ts'] } });
