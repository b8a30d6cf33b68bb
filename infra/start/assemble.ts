import { fork } from 'node:child_process';
import type { AssembleOrder, Assembled } from './assemble-process.ts';
import { CommandError } from '../../lib/installation/command-error.ts';

/** Bundles the functions and synthesizes the local environment's template. Returns the assembly's folder. */
export async function assemble(order: AssembleOrder): Promise<string> {
  const made = await inProcess(order);
  if (made.kind === 'made') return made.folder;
  throw new CommandError(
    `The template cannot be synthesized, so fix this and start again: ${reasonIn(made.error)}`,
  );
}

/** Runs in a separate process, because the CDK takes hundreds of megabytes and is not needed after synthesis. */
function inProcess(order: AssembleOrder): Promise<Assembled> {
  const script = new URL('./assemble-process.ts', import.meta.url);
  const child = fork(script, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return new Promise((resolve) => {
    child.once('message', (made: Assembled) => resolve(made));
    child.once('close', () => resolve({ kind: 'failed', error: 'its process ended without one' }));
  });
}

/** Returns the first line that names an error: esbuild's first line only counts them. */
function reasonIn(error: string): string {
  const [first = 'no reason given', second] = error.split('\n').filter((line) => line.trim() !== '');
  return first.startsWith('Build failed') && second ? second : first;
}
