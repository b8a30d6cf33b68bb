import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Demo, demoSchema } from './demo.ts';
import type { Endpoints } from './endpoints.ts';
import { Trouble } from './trouble.ts';

/** `.paylink/runtime.json`: how other commands reach what runs here. It is there only while it runs. */
export type Runtime = {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  readonly environment: 'local';
  readonly endpoints: Endpoints;
};

const runtimeSchema = z.object({ pid: z.number(), baseUrl: z.string() });

/** The files of `.paylink/`. */
export const filesIn = (folder: string) => ({
  runtime: join(folder, 'runtime.json'),
  demo: join(folder, 'demo.json'),
  log: join(folder, 'functions.log'),
  assembly: join(folder, 'assembly'),
});

/** Refuses a folder in which another runner is at work: two would spoil each other's data. */
export async function takeFolder(folder: string, { reset }: { readonly reset: boolean }): Promise<void> {
  const running = await readJson(filesIn(folder).runtime, runtimeSchema);
  if (running && isAlive(running.pid) && (await answers(running.baseUrl))) {
    throw new Trouble(
      `Paylink runs here already at ${running.baseUrl}: use it, or stop process ${running.pid} first.`,
    );
  }
  if (reset) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export const readDemo = (folder: string): Promise<Demo | undefined> =>
  readJson(filesIn(folder).demo, demoSchema);

/** Only its owner can read it: it holds a token. */
export const writeDemo = (folder: string, demo: Demo): Promise<void> =>
  writeWhole(filesIn(folder).demo, demo);

export const writeRuntime = (folder: string, runtime: Runtime): Promise<void> =>
  writeWhole(filesIn(folder).runtime, runtime);

/** Never half a file: scripts read it while we write. */
async function writeWhole(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readJson<T>(file: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A process id alone says little: the number may have gone to another process since. */
const answers = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
