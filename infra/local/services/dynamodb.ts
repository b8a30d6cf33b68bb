import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { freePort } from '../http-server.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A DynamoDB-compatible server in a separate process. */
export type DynamoDbServer = {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
  /** Resolves when the process has exited, for any reason. */
  readonly ended: Promise<void>;
};

type Child = ChildProcessByStdio<Writable, null, Readable>;

/** A start is retried when another process took the free port first. */
const attempts = 5;

/** Starts the server. Without a file its data is lost when it stops. */
export async function startDynamoDb(options: { readonly file?: string } = {}): Promise<DynamoDbServer> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await start(await freePort(), options.file);
    if (typeof started !== 'string') return started;
    if (attempt === attempts || !started.includes('already in use')) throw unable(started);
  }
}

/**
 * A shell between this process and the server. It stops the server when its standard input closes, which also happens when
 * this process is killed. It runs in its own process group, so that a Ctrl-C in the terminal does not stop the database
 * before the functions have finished.
 */
const guard = `
exec 3<&0
"$@" </dev/null & server=$!
(read -r _ <&3; kill "$server" 2>/dev/null) >/dev/null 2>&1 & guard=$!
wait "$server"; code=$?
kill "$guard" 2>/dev/null
exit "$code"
`;

async function start(port: number, file: string | undefined): Promise<DynamoDbServer | string> {
  const storage = file === undefined ? [] : ['--db-path', file];
  const args = ['-c', guard, 'sh', binary(), 'serve', '--port', String(port), ...storage];
  const child = spawn('sh', args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const complaint = await startFailure(child);
  if (complaint !== undefined) return complaint;
  return { endpoint: `http://127.0.0.1:${port}`, ended, stop: () => stop(child, ended) };
}

/** Resolves to undefined when the server listens, or to its error output when it exits first. */
function startFailure(child: Child): Promise<string | undefined> {
  return new Promise((resolve) => {
    const output: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      output.push(line);
      if (line.includes('listening on')) resolve(undefined);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(output.join(' ') || 'it exited without a message'));
  });
}

async function stop(child: Child, ended: Promise<void>): Promise<void> {
  child.stdin.end();
  await ended;
}

function binary(): string {
  const file = join(packageFolder(), 'dynoxide');
  if (!existsSync(file)) throw unable(`${file} is missing`);
  return file;
}

function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json'));
  } catch {
    throw unable('the package @dynoxide/linux-x64 is missing');
  }
}

function unable(why: string): CommandError {
  const remedy = /sqlite/i.test(why)
    ? 'run npm start -- --reset to start with new data'
    : 'run npm ci on Linux x64, then start again';
  return new CommandError(`The DynamoDB-compatible server does not start (${why}): ${remedy}.`);
}
