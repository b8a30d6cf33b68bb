import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Mutant } from './mutants.ts';
import type { Tree } from './tree.ts';

/** Whether the mutant compiles. Build information is stored in the tree, so only the first check is slow. */
export const compiles = (tree: Tree, mutant: Mutant): Promise<boolean> =>
  tree.with([mutant], async () => {
    const words = ['--noEmit', '--incremental', '--tsBuildInfoFile', '.mutate-types'];
    const child = execFile('node_modules/.bin/tsc', words, { cwd: tree.folder });
    const [code] = await once(child, 'exit');
    return code === 0;
  });
