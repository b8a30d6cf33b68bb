import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { root } from '../../lib/installation/paths.ts';

const script = join(root, 'infra/start/start.ts');

/** A data folder that is removed when the test ends. */
export async function aDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs `npm start` in this folder, on an existing cloud assembly. It is stopped when the test ends. */
export function startProcess(folder: string, assembly: string, options: readonly string[]) {
  const args = [script, '--folder', folder, '--assembly', assembly, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const text = () => said.join('');
  const ready = async () => {
    await expect.poll(text, { timeout: 20_000 }).toContain('Ctrl-C');
    return JSON.parse(await readFile(join(folder, 'runtime.json'), 'utf8'));
  };
  return { child, text, ended, ready };
}

export const interrupt = (child: ChildProcess) => child.kill('SIGINT');

export async function answers(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}

/** Expects that nothing listens at these origins any more. */
export const nothingListensAt = (origins: readonly string[]) =>
  expect.poll(() => Promise.all(origins.map(answers))).toEqual(origins.map(() => false));

/** Runs `npm run pay` against the service of this folder. Returns its exit code and output. */
export const payProcess = (folder: string, words: readonly string[]) =>
  command('lib/cli/pay.ts', [...words, '--folder', folder, '--json']);

/** Runs an operator's command against the service of this folder, with `input` on its standard input. Returns its document. */
export async function paylinkProcess(
  folder: string,
  words: readonly string[],
  input?: string,
): Promise<unknown> {
  const options = ['--folder', folder, '--json', '--yes'];
  const { stdout, stderr } = await command('lib/cli/paylink.ts', [...words, ...options], input);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

type Ended = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

const command = (file: string, words: readonly string[], input?: string): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [join(root, file), ...words], (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ exitCode, stdout, stderr });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
