import { relative } from 'node:path';
import { expect } from 'vitest';

/** Before each test file: what is reached from now on, here and in processes that are started, is reached by it. */
process.env['PAYLINK_HITS_OF'] = relative(process.cwd(), expect.getState().testPath ?? '');
