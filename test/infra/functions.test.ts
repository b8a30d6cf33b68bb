import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, buildFunctions, buildSentence, sizeTable } from '../../infra/build.ts';
import { functions } from '../../infra/functions.ts';
import { functionNames, root } from '../../lib/installation/paths.ts';
import { apiRoutes, publicRoutes, sandboxRoutes } from '../../lib/contract/routes.ts';
import { templateOf, variablesOf } from './template.ts';

const template = templateOf('local');
const files = functionNames();
const routed = [...apiRoutes, ...publicRoutes, ...sandboxRoutes].map((route) => route.function);
const triggered = Object.entries(functions)
  .filter(([, spec]) => spec.trigger)
  .map(([name]) => name);

describe('functions/', () => {
  it('holds exactly the functions that are deployed', () => {
    expect(files).toEqual(Object.keys(functions).toSorted());
  });

  it('has a file for every route', () => {
    expect(routed.filter((name) => !files.includes(name))).toEqual([]);
  });

  it('has no file that nothing calls', () => {
    const called = new Set([...routed, ...triggered, 'authorizer']);
    expect(files.filter((name) => !called.has(name))).toEqual([]);
  });
});

describe('the bundles', () => {
  let outdir: string;
  let bundles: readonly Bundle[];
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), 'paylink-bundles-'));
    bundles = await buildFunctions(outdir);
  });
  afterAll(() => rm(outdir, { recursive: true }));

  it('are one folder per function, with its source map', async () => {
    expect(bundles.map(({ name }) => name)).toEqual(files);
    for (const name of files) {
      expect((await readdir(join(outdir, name))).toSorted()).toEqual(['index.js', 'index.js.map']);
    }
  });

  it('are the same wherever they are made: no path of this machine, no source in them', async () => {
    for (const name of files) {
      const read = (file: string) => readFile(join(outdir, name, file), 'utf8');
      const map = JSON.parse(await read('index.js.map'));
      expect(map.sources, name).toContain(`../../functions/${name}.ts`);
      expect(map.sourcesContent, name).toBeUndefined();
      expect(`${await read('index.js')}${map.sources}`.includes(root), name).toBe(false);
    }
  });

  /** Read in any bundle that reads secrets or looks at the clock, and not wanted by each of them. */
  const perhaps = /^(TIME_ZONE|PUBLIC_URL|TERMS_DEFAULTS|(PAGE|FINGERPRINT|SANDBOX)_SECRET_ID)$/;

  it('read exactly the environment variables that the template gives to each', async () => {
    const told = new Map(
      files.map((name) => [name, variablesOf(template, `paylink-local-${name}`)] as const),
    );
    const known = new Set([...told.values()].flatMap((variables) => Object.keys(variables)));
    known.delete('NODE_OPTIONS');
    for (const name of files) {
      const bundle = await readFile(join(outdir, name, 'index.js'), 'utf8');
      const given = [...known].filter((variable) => variable in (told.get(name) ?? {}));
      const read = [...known].filter((variable) => new RegExp(`\\b${variable}\\b`).test(bundle));
      expect(
        given.filter((one) => !read.includes(one)),
        `${name} is told without need`,
      ).toEqual([]);
      const missing = read.filter((one) => !given.includes(one) && !perhaps.test(one));
      expect(missing, `${name} is not told`).toEqual([]);
    }
  });

  it('hold the table of letters that look alike only where people are compared', async () => {
    const holds = async (name: string) => {
      const map = await readFile(join(outdir, name, 'index.js.map'), 'utf8');
      return map.includes('node_modules/unhomoglyph/');
    };
    const holders = await Promise.all(files.map(async (name) => ((await holds(name)) ? [name] : [])));
    expect(holders.flat()).toEqual(['carry-out']);
  });

  it('are summed up in one sentence and a table', () => {
    const two = [
      { name: 'small', bytes: 512 },
      { name: 'larger', bytes: 2048 },
    ];
    expect(buildSentence(two)).toBe('Bundled 2 functions, 2.5 KB in all.');
    expect(sizeTable(two)).toBe('larger    2.0 KB\nsmall     0.5 KB');
  });
});
