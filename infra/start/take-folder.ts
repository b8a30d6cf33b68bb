import { mkdir, rm } from 'node:fs/promises';
import { CommandError } from '../../lib/installation/command-error.ts';
import { readRuntime } from '../../lib/installation/data-folder.ts';

/** Refuses a folder in which another runner is at work: two would spoil each other's data. */
export async function takeFolder(folder: string, { reset }: { readonly reset: boolean }): Promise<void> {
  const running = await readRuntime(folder);
  if (running && (await answers(running.baseUrl))) {
    throw new CommandError(
      `Paylink runs here already at ${running.baseUrl}: use it, or stop process ${running.pid} first.`,
    );
  }
  if (reset) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** A process id alone says little: the number may have gone to another process since. */
const answers = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
