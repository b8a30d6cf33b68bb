import '../infra/require-node-24.mjs';
import module from 'node:module';
import { join } from 'node:path';

// Compiled modules, TypeScript without its types among them, are read from here at the next start. The folder belongs to whoever
// installed the packages; Node's default, below /tmp, could be prepared by other users. If it cannot be written, nothing is cached.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/paylink/compiled'));
await import('../lib/cli/paylink.ts');
