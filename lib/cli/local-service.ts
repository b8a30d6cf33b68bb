import { CommandError } from '../../infra/command-error.ts';
import { readDemo, readRuntime, type RunningService, writeDemo } from '../../infra/data-folder.ts';

/** The local service, if it runs. */
export async function runningService(folder: string): Promise<RunningService> {
  const running = await readRuntime(folder);
  if (running) return running;
  throw new CommandError('Nothing runs here: start it with npm start.', 'not_running');
}

type NewToken = { readonly merchantId: string; readonly apiToken: string };

/** Puts a merchant's new token into `demo.json`, if the file is about this merchant; answers whether it is. */
export async function replaceDemoToken(folder: string, { merchantId, apiToken }: NewToken): Promise<boolean> {
  const demo = await readDemo(folder);
  if (demo?.merchantId !== merchantId) return false;
  await writeDemo(folder, { ...demo, apiToken });
  return true;
}
