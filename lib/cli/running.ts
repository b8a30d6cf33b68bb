import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Trouble } from './trouble.ts';

/** Where the local service keeps its data; the runner writes both files there. */
const folder = join(import.meta.dirname, '..', '..', '.paylink');

const runtimeFile = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  endpoints: z.record(z.string(), z.string()),
});
export type Running = z.infer<typeof runtimeFile>;

/** The local service, if it runs; `.paylink/runtime.json` exists only while it does. */
export async function runningService(): Promise<Running> {
  const read = runtimeFile.safeParse(await readJson('runtime.json'));
  if (read.success && isAlive(read.data.pid)) return read.data;
  throw new Trouble('not_running', 'Nothing runs here: start it with npm start.');
}

export const runningBaseUrl = async (): Promise<string> => (await runningService()).baseUrl;

const demoFile = z.looseObject({ merchantId: z.string(), apiToken: z.string() });

/** Puts a merchant's new token into `.paylink/demo.json`, if the file is about this merchant. */
export async function replaceDemoToken(merchantId: string, apiToken: string): Promise<boolean> {
  const read = demoFile.safeParse(await readJson('demo.json'));
  if (!read.success || read.data.merchantId !== merchantId) return false;
  const path = join(folder, 'demo.json');
  const text = `${JSON.stringify({ ...read.data, apiToken }, null, 2)}\n`;
  // Never half a file: scripts read it while we write.
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return true;
}

async function readJson(name: string): Promise<unknown> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A runner that was killed leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
