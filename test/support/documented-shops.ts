import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeBlock } from './markdown.ts';

type Language = {
  readonly name: string;
  /** The language of its code fence in `docs/merchants.md`. */
  readonly fence: string;
  readonly file: string;
  readonly command: (file: string, port: number) => readonly [program: string, ...args: string[]];
};

const languages: readonly Language[] = [
  {
    name: 'PHP',
    fence: 'php',
    file: 'shop.php',
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  { name: 'Python', fence: 'python', file: 'shop.py', command: (file) => ['python3', file] },
  { name: 'Node', fence: 'js', file: 'shop.mjs', command: (file) => [process.execPath, file] },
];

const isInstalled = ({ command }: Language): boolean =>
  spawnSync(command('', 0)[0], ['--version']).status === 0;

/** Returns the languages of the document that this machine can run; prints the missing ones. */
export function runnableLanguages(): readonly Language[] {
  const missing = languages.filter((language) => !isInstalled(language));
  if (missing.length > 0)
    console.log(
      `Not installed, so not run from docs/merchants.md: ${missing.map(({ name }) => name).join(', ')}.`,
    );
  return languages.filter((language) => !missing.includes(language));
}

export const nodeShop: Language = languages[2]!;

export type Secrets = { readonly token: string; readonly shopSecret: string; readonly payoutSecret: string };
export type DocumentedShop = AsyncDisposable & {
  readonly url: (path: string) => string;
  readonly port: number;
};

/** Runs the unmodified program of `docs/merchants.md` in this language on a free port. */
export async function documentedShop(language: Language, secrets: Secrets): Promise<DocumentedShop> {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-shop-'));
  const file = join(folder, language.file);
  writeFileSync(file, codeBlock(readFileSync('docs/merchants.md', 'utf8'), language.fence));
  const port = await freePort();
  const [program, ...args] = language.command(file, port);
  const shop = spawn(program, args, {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      PAYLINK_TOKEN: secrets.token,
      PAYLINK_SHOP_SECRET: secrets.shopSecret,
      PAYLINK_PAYOUT_SECRET: secrets.payoutSecret,
    },
  });
  const ended = once(shop, 'exit');
  await listens(port);
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      shop.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const closed = once(server, 'close');
  server.close();
  await closed;
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await wait(50);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
