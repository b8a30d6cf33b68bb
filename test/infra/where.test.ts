import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions } from '../../infra/build.ts';
import { run } from '../../lib/cli/program.ts';
import { keepMap, keptMap, keptPerFunction } from '../../lib/installation/source-maps.ts';

type Line = Readonly<Record<'level' | 'event' | 'error' | 'code' | 'build' | 'at', string>>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-where-'));
  await buildFunctions(join(folder, 'dist'), join(folder, 'maps'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the bundle of the function logs when it is called without any setting. */
async function lineOf(name: string): Promise<Line> {
  const bundle = join(folder, 'dist', name, 'index.js');
  const call = `require(${JSON.stringify(bundle)}).handler({}, { awsRequestId: '', getRemainingTimeInMillis: () => 1000 })`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', `${call}.catch(() => 0)`], {
    env: {},
  });
  return JSON.parse(stdout);
}

/** The text that this command prints. */
async function typed(...words: readonly string[]) {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const never = () => Promise.reject(new Error('It asks for nothing.'));
  const code = await run([...words, '--maps', join(folder, 'maps')], {
    connect: never,
    out: tell,
    err: tell,
    operator: 'olga',
    isInteractive: false,
    ask: never,
    askHidden: never,
    readInput: never,
    watchInterrupt: () => ({ isInterrupted: () => false }),
    exitCode: 0,
  });
  return { code, text: told.join('\n') };
}

/** `lib/x.ts:12` for the only line of the file that holds the text. */
async function placeOf(file: string, text: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const [at, ...others] = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  expect([at === undefined, others]).toEqual([false, []]);
  return `${file}:${at}`;
}

describe('a defect in a deployed function', () => {
  it('is a line with its code, its build and where it happened, in numbers', async () => {
    const line = await lineOf('authorizer');
    expect(line).toMatchObject({
      level: 'error',
      event: 'function_failed',
      error: 'Defect',
      code: 'SETTING_MISSING',
    });
    expect(line.build).toMatch(/^[0-9a-f]{12}$/);
    expect(line.at).toMatch(/^\d+:\d+(?: \d+:\d+)+$/);
    expect(JSON.stringify(line)).not.toMatch(/TABLE_NAME|index\.js/);
  });

  it('is resolved to the source by that line, with its calls', async () => {
    const { build, at } = await lineOf('authorizer');
    const { code, text } = await typed('where', build, at);
    expect(code).toBe(0);
    const [title, innermost, ...callers] = text.split('\n');
    expect(title).toBe('authorizer:');
    expect(innermost).toContain(await placeOf('lib/runtime/system.ts', 'new Defect('));
    expect(callers.join('\n')).toContain(`${await placeOf('functions/authorizer.ts', 'lambdaHandler(()')}:`);
  });

  it('of another function has another build, and the same function built again has the same', async () => {
    const [one, other] = [await lineOf('authorizer'), await lineOf('bill-status')];
    expect(other.build).not.toBe(one.build);
    await buildFunctions(join(folder, 'again'));
    const bundle = (where: string) => readFile(join(folder, where, 'authorizer/index.js'), 'utf8');
    expect(await bundle('again')).toBe(await bundle('dist'));
  });
});

describe('a missing source map', () => {
  it('is reported with what to do', async () => {
    expect(await typed('where', '000000000000', '1:1')).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^There is no source map of build 000000000000 in .*maps\. Check out the deployed commit, run npm ci and npm run build, and try again: the same commit gives the same build\.$/,
      ),
    });
  });

  it('makes no guess', async () => {
    const { build } = await lineOf('authorizer');
    expect(await typed('where', build, 'index.js')).toMatchObject({
      text: expect.stringContaining('like 1:20345'),
    });
  });
});

describe('the kept maps', () => {
  it('are those of the newest builds of each function', async () => {
    const maps = join(folder, 'many');
    const buildAt = (at: number) => String(at).padStart(12, '0');
    const map = Buffer.from('{"sources":[]}');
    await keepMap(maps, { name: 'authorizer', build: 'ffffffffffff', map });
    await writeFile(join(maps, 'notes.txt'), '');
    for (let at = 0; at < keptPerFunction + 2; at += 1)
      await keepMap(maps, { name: 'fallback', build: buildAt(at), map });
    expect(await readdir(maps)).toHaveLength(keptPerFunction + 2);
    expect(await keptMap(maps, buildAt(keptPerFunction + 1))).toEqual({
      name: 'fallback',
      map: { sources: [] },
    });
    expect(await keptMap(maps, 'ffffffffffff')).toBeDefined();
  });
});
