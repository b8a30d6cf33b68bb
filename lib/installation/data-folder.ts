import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isMerchantId, isShopId, type MerchantId, type ShopId } from '../ids.ts';
import type { Endpoints } from './local-endpoints.ts';
import { root } from './paths.ts';

/** Where the local service keeps its data, unless it was told another folder. */
export const dataFolder = join(root, '.paylink');

/** The files of the data folder that have a name. */
export const filesIn = (folder: string) => ({
  runtime: join(folder, 'runtime.json'),
  demo: join(folder, 'demo.json'),
  log: join(folder, 'functions.log'),
  assembly: join(folder, 'assembly'),
});

const runtimeSchema = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  /** How others reach it, when that is not the same. */
  publicUrl: z.optional(z.string()),
  endpoints: z.object({
    AWS_ENDPOINT_URL_DYNAMODB: z.string(),
    AWS_ENDPOINT_URL_SQS: z.string(),
    AWS_ENDPOINT_URL_KMS: z.string(),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: z.string(),
    AWS_ENDPOINT_URL_LAMBDA: z.string(),
  }),
});

/** How other commands reach what runs here. */
export type RunningService = z.infer<typeof runtimeSchema>;

/** `runtime.json`, which is there only while the service runs. */
type Runtime = RunningService & {
  readonly port: number;
  readonly environment: 'local';
  readonly endpoints: Endpoints;
};

const demoSchema = z.object({
  baseUrl: z.string(),
  merchantId: z.custom<MerchantId>(isMerchantId),
  apiToken: z.string(),
  shopId: z.custom<ShopId>(isShopId),
  webhookSecret: z.string(),
  /** Set once the secrets of the shop and the merchant differ. */
  payoutWebhookSecret: z.optional(z.string()),
});

/** The merchant to try things with, as `demo.json` holds it. */
export type Demo = z.infer<typeof demoSchema>;

/** What `runtime.json` says, if its process is alive: one that was killed leaves the file behind. */
export async function readRuntime(folder: string): Promise<RunningService | undefined> {
  const runtime = await readJson(filesIn(folder).runtime, runtimeSchema);
  return runtime && isAlive(runtime.pid) ? runtime : undefined;
}

export const writeRuntime = (folder: string, runtime: Runtime): Promise<void> =>
  writeJson(filesIn(folder).runtime, runtime);

export const readDemo = (folder: string): Promise<Demo | undefined> =>
  readJson(filesIn(folder).demo, demoSchema);

/** Only its owner can read it: it holds a token. */
export const writeDemo = (folder: string, demo: Demo): Promise<void> => writeJson(filesIn(folder).demo, demo);

async function readJson<T>(file: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step: scripts may read it at the same time. */
async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
