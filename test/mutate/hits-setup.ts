import { relative } from 'node:path';
import { expect } from 'vitest';

/** Before each test file: attributes the functions reached from here on, in this process and its children, to that file. */
process.env['PAYLINK_HITS_OF'] = relative(process.cwd(), expect.getState().testPath ?? '');
