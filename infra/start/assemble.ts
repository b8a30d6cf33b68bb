import { fork } from 'node:child_process';
import type { AssembleOrder, Assembled } from './assemble-process.ts';
import { CommandError } from '../../lib/installation/command-error.ts';

/** Bundles the functions and synthesizes the local environment's template. Gives its folder. */
export async function assemble(order: AssembleOrder): Promise<string> {
  const made = await inProcess(order);
  if (made.kind === 'made') return made.folder;
  throw new CommandError(
    `The template cannot be synthesized, so fix this and start again: ${reasonIn(made.error)}`,
  );
}

/** In a process of its own: CDK takes hundreds of megabytes, and nothing here needs it once the template is made. */
function inProcess(order: AssembleOrder): Promise<Assembled> {
  const script = new URL('./assemble-process.ts', import.meta.url);
  const child = fork(script, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return new Promise((resolve) => {
    child.once('message', (made: Assembled) => resolve(made));
    child.once('close', () => resolve({ kind: 'failed', error: 'its process ended without one' }));
  });
}

/** esbuild counts its errors first and then names them. */
function reasonIn(error: string): string {
  const [first = 'no reason given', second] = error.split('\n').filter((line) => line.trim() !== '');
  return first.startsWith('Build failed') && second ? second : first;
}
