import { mkdir, rm } from 'node:fs/promises';
import { CommandError } from '../../lib/installation/command-error.ts';
import { readRuntime } from '../../lib/installation/data-folder.ts';

/** Creates the data folder, emptied with `reset`. Throws if another runner uses it: two would corrupt each other's data. */
export async function takeFolder(folder: string, { reset }: { readonly reset: boolean }): Promise<void> {
  const running = await readRuntime(folder);
  if (running && (await answers(running.baseUrl))) {
    throw new CommandError(
      `Paylink is already running at ${running.baseUrl}: use it, or stop process ${running.pid} first.`,
    );
  }
  if (reset) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Whether a server responds at this URL. A live process id alone is not enough: the operating system reuses the numbers. */
const answers = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
