import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Trouble } from './trouble.ts';

/** Where the local service keeps its data, unless it was told another folder. */
export const dataFolder = join(import.meta.dirname, '..', '..', '.paylink');

const runtimeFile = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  endpoints: z.object({
    AWS_ENDPOINT_URL_DYNAMODB: z.string(),
    AWS_ENDPOINT_URL_SQS: z.string(),
    AWS_ENDPOINT_URL_KMS: z.string(),
  }),
});
type Running = z.infer<typeof runtimeFile>;

/** The local service, if it runs; `runtime.json` is there only while it does. */
export async function runningService(folder: string): Promise<Running> {
  const read = runtimeFile.safeParse(await readJson(folder, 'runtime.json'));
  if (read.success && isAlive(read.data.pid)) return read.data;
  throw new Trouble('not_running', 'Nothing runs here: start it with npm start.');
}

const demoFile = z.looseObject({ merchantId: z.string(), apiToken: z.string() });

/** Puts a merchant's new token into `demo.json`, if the file is about this merchant; answers whether it is. */
export async function replaceDemoToken(
  folder: string,
  { merchantId, apiToken }: { readonly merchantId: string; readonly apiToken: string },
): Promise<boolean> {
  const read = demoFile.safeParse(await readJson(folder, 'demo.json'));
  if (!read.success || read.data.merchantId !== merchantId) return false;
  const path = join(folder, 'demo.json');
  const text = `${JSON.stringify({ ...read.data, apiToken }, null, 2)}\n`;
  // Never half a file: scripts read it while we write.
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return true;
}

async function readJson(folder: string, name: string): Promise<unknown> {
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
