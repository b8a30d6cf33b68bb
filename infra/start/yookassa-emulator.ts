import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { CommandError } from '../../lib/installation/command-error.ts';
import type { YookassaAccess } from '../../lib/installation/data-folder.ts';

/** The line that the process prints when it listens. */
const listening = z.object({
  apiUrl: z.string(),
  controlUrl: z.string(),
  shopId: z.string(),
  secretKey: z.string(),
  gatewayId: z.string(),
  gatewaySecretKey: z.string(),
  journal: z.string(),
});

export type YookassaEmulator = {
  readonly access: YookassaAccess;
  /** Sets the shop's notification address, as an operator does in the vendor's cabinet. */
  readonly notifyAt: (url: string) => Promise<void>;
  /** Resolves when the process has ended, by itself or because it was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const script = new URL('../yookassa-emulator/main.ts', import.meta.url);

/**
 * Starts the YooKassa emulator as a process of its own, with its data in a folder of the data folder. Its ports follow
 * that of the API, so that links to its pages still work after a restart; 0 selects free ports.
 */
export async function startYookassaEmulator({
  folder,
  port,
  receipts,
}: {
  readonly folder: string;
  readonly port: number;
  /** Whether the shop sends fiscal receipts, in this run. */
  readonly receipts: boolean;
}): Promise<YookassaEmulator> {
  const portAfter = (step: number): string => String(port === 0 ? 0 : port + step);
  const args = [
    fileURLToPath(script),
    `--folder=${resolve(folder, 'yookassa-emulator')}`,
    `--port=${portAfter(1)}`,
    `--pages-port=${portAfter(2)}`,
    `--bank-port=${portAfter(3)}`,
    '--follow-stdin',
  ];
  // A process group of its own: Ctrl-C reaches only this process, which stops the emulator last.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = once(child, 'close').then(() => undefined);
  const { controlUrl, ...access } = await firstLine(child, ended);
  const control = controlOf(controlUrl);
  await control('PATCH', 'settings', { receipts });
  return {
    access,
    notifyAt: (url) => control('PUT', 'notifications', { url }),
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function firstLine(
  child: ChildProcessByStdio<Writable, Readable, null>,
  ended: Promise<void>,
): Promise<z.infer<typeof listening>> {
  const lines = createInterface({ input: child.stdout });
  const first = once(lines, 'line').then(([line]) => String(line));
  const line = await Promise.race([first, ended.then(() => undefined)]);
  // Later output is discarded, so that the process never waits for a reader.
  child.stdout.resume();
  if (line !== undefined) return listening.parse(JSON.parse(line));
  throw new CommandError('The YooKassa emulator did not start: the reason is above.');
}

/** Sets something in the vendor's cabinet, which the control endpoint stands for. */
const controlOf =
  (controlUrl: string) =>
  async (method: string, what: 'notifications' | 'settings', value: object): Promise<void> => {
    const response = await fetch(`${controlUrl}/${what}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
    if (!response.ok)
      throw new CommandError(`The YooKassa emulator refused its ${what} (HTTP ${response.status}).`);
  };
