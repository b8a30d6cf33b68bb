import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isMerchantId, isShopId, type MerchantId, type ShopId } from '../ids.ts';
import type { Endpoints } from './local-endpoints.ts';

/** The paths of the data folder's well-known files. */
export const filesIn = (folder: string) => ({
  runtime: join(folder, 'runtime.json'),
  demo: join(folder, 'demo.json'),
  log: join(folder, 'functions.log'),
  assembly: join(folder, 'assembly'),
});

const runtimeSchema = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  /** The base URL for other machines and containers, if it differs. */
  publicUrl: z.optional(z.string()),
  endpoints: z.object({
    AWS_ENDPOINT_URL_DYNAMODB: z.string(),
    AWS_ENDPOINT_URL_SQS: z.string(),
    AWS_ENDPOINT_URL_KMS: z.string(),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: z.string(),
    AWS_ENDPOINT_URL_LAMBDA: z.string(),
  }),
});

/** How other commands reach the running local service. */
export type RunningService = z.infer<typeof runtimeSchema>;

/** The content of `runtime.json`, which exists only while the service runs. */
type Runtime = RunningService & {
  readonly port: number;
  readonly environment: 'local';
  readonly endpoints: Endpoints;
};

const yookassaSchema = z.object({
  /** Ends in `/v3`. */
  apiUrl: z.string(),
  shopId: z.string(),
  secretKey: z.string(),
  gatewayId: z.string(),
  gatewaySecretKey: z.string(),
  /** The file with the exchanges under `apiUrl`, one JSON object a line. */
  journal: z.string(),
});

/** How to call the YooKassa emulator with the demo shop's and gateway's keys. */
export type YookassaAccess = z.infer<typeof yookassaSchema>;

const demoSchema = z.object({
  baseUrl: z.string(),
  merchantId: z.custom<MerchantId>(isMerchantId),
  apiToken: z.string(),
  shopId: z.custom<ShopId>(isShopId),
  webhookSecret: z.string(),
  /** Present only when the merchant's secret differs from the shop's. */
  payoutWebhookSecret: z.optional(z.string()),
  /** Present only while the service runs with the YooKassa emulator. */
  yookassa: z.optional(yookassaSchema),
});

/** The demo merchant, as stored in `demo.json`. */
export type Demo = z.infer<typeof demoSchema>;

/** Returns the content of `runtime.json` if its process is alive: a killed process leaves the file behind. */
export async function readRuntime(folder: string): Promise<RunningService | undefined> {
  const runtime = await readJson(filesIn(folder).runtime, runtimeSchema);
  return runtime && isAlive(runtime.pid) ? runtime : undefined;
}

export const writeRuntime = (folder: string, runtime: Runtime): Promise<void> =>
  writeJson(filesIn(folder).runtime, runtime);

export const readDemo = (folder: string): Promise<Demo | undefined> =>
  readJson(filesIn(folder).demo, demoSchema);

/** Writes `demo.json`, readable by its owner only, because it contains an API token. */
export const writeDemo = (folder: string, demo: Demo): Promise<void> => writeJson(filesIn(folder).demo, demo);

async function readJson<T>(file: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically, because scripts may read it at the same time. */
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
