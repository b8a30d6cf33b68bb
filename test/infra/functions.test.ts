import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Bundle, buildFunctions, buildSentence, sizeTable } from '../../infra/build.ts';
import { functions } from '../../infra/functions.ts';
import { keptMap } from '../../lib/installation/source-maps.ts';
import { functionNames, root } from '../../lib/installation/paths.ts';
import { apiRoutes, contract, publicRoutes, sandboxRoutes } from '../../lib/contract/routes.ts';
import { templateOf, variablesOf } from './template.ts';

const template = templateOf('local');
const files = functionNames();
const routed = [...apiRoutes, ...publicRoutes, ...sandboxRoutes].map((route) => route.function);
const triggered = Object.entries(functions)
  .filter(([, spec]) => spec.trigger)
  .map(([name]) => name);

describe('functions/', () => {
  it('contains exactly the deployed functions', () => {
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
  let maps: string;
  let bundles: readonly Bundle[];
  const mapOf = async (name: string) => {
    const { build = '' } = bundles.find((bundle) => bundle.name === name) ?? {};
    const kept = await keptMap(maps, build);
    expect(kept?.name).toBe(name);
    return kept!.map;
  };
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), 'paylink-bundles-'));
    await mkdir(join(outdir, 'a-function-of-yesterday'));
    await writeFile(join(outdir, 'a-function-of-yesterday', 'index.js'), '');
    maps = await mkdtemp(join(tmpdir(), 'paylink-maps-'));
    bundles = await buildFunctions(outdir, maps);
  });
  afterAll(() => Promise.all([outdir, maps].map((folder) => rm(folder, { recursive: true }))));

  it('are one folder per function, without its source map', async () => {
    expect(bundles.map(({ name }) => name)).toEqual(files);
    for (const name of files) {
      expect((await readdir(join(outdir, name))).toSorted()).toEqual(['index.js']);
    }
  });

  it('of removed functions are deleted', async () => {
    expect((await readdir(outdir)).toSorted()).toEqual(files);
  });

  it('are reproducible: no path of this machine, no source in them', async () => {
    for (const name of files) {
      const read = (file: string) => readFile(join(outdir, name, file), 'utf8');
      const map = await mapOf(name);
      expect(map.sources, name).toContain(`../../functions/${name}.ts`);
      expect(map.sourcesContent, name).toBeUndefined();
      expect(`${await read('index.js')}${map.sources.join()}`.includes(root), name).toBe(false);
    }
  });

  /**
   * In the code of any bundle that reads secrets, looks at the clock or reads a provider's settings by its name, and not wanted by
   * each of them. The first two have a default, so who lacks them does not fail: their functions are named below. Who lacks the
   * sandbox's settings does not work with it. Who lacks another fails at its first use.
   */
  const perhaps = /^(PUBLIC_URL|TERMS_DEFAULTS|SANDBOX_SETTINGS|(PAGE|FINGERPRINT|SANDBOX)_SECRET_ID)$/;

  it('read exactly the environment variables that the template gives to each', async () => {
    const told = new Map(
      files.map((name) => [name, variablesOf(template, `paylink-local-fn-${name}`)] as const),
    );
    const known = new Set([...told.values()].flatMap((variables) => Object.keys(variables)));
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

  const toldOf = (variable: string) =>
    files.filter((name) => variable in variablesOf(template, `paylink-local-fn-${name}`));

  it('get the public URL where they make links from it: pages, the document, lists in pages, a new bill, the check of the notification address', () => {
    const pages = publicRoutes
      .map((route) => route.function)
      .filter((name) => !name.endsWith('-notification'));
    const searches = ['bill-search', 'payment-search', 'payout-search', 'refund-search'];
    const others = ['bill-create', 'bill-payments', 'provider-check'];
    expect(toldOf('PUBLIC_URL')).toEqual([...pages, ...searches, ...others].toSorted());
  });

  it('get the time zone where they show a date or use a calendar', () => {
    const showsDates = contract.filter(({ output }) =>
      JSON.stringify(z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' })).match(
        /created_at|resets_at|"at":/,
      ),
    );
    const names = [...showsDates.map((route) => route.function), 'payout-auto', 'reconcile', 'audit'];
    expect(toldOf('TIME_ZONE')).toEqual(names.toSorted());
  });

  it.each([
    ['authorizer', ['changes', 'merchants']],
    ['merchant-balance', ['balances']],
    ['payout-status', ['payouts']],
    ['postback-sweep', ['events']],
    ['link-page', ['bills', 'changes', 'merchants', 'rates', 'shops', 'terms']],
  ])('of %s contains no store but these', async (name, needed) => {
    const composition = await readFile(join(root, 'lib/runtime/stores.ts'), 'utf8');
    const stores = [...composition.matchAll(/'\.\.\/store\/([\w-]+)\.ts'/g)].map(([, store]) => store);
    const map = await mapOf(name);
    const held = stores.filter((store) => map.sources.includes(`../../lib/store/${store}.ts`));
    expect(new Set(held)).toEqual(new Set([...needed, 'table']));
  });

  it('hold the adapter of a provider only where they work with one in that role', async () => {
    const holders = async (adapter: string) => {
      const held = files.map(async (name) => {
        const map = await mapOf(name);
        return map.sources.includes(`../../lib/provider/${adapter}.ts`) ? [name] : [];
      });
      return (await Promise.all(held)).flat();
    };
    const thatAsk = (...roles: readonly ('acquirer' | 'rail')[]) =>
      files.filter((name) => roles.some((role) => functions[name]?.rights.providers?.includes(role)));
    expect(await holders('sandbox-acquirer')).toEqual(thatAsk('acquirer'));
    expect(await holders('sandbox-client')).toEqual(thatAsk('acquirer', 'rail'));
    // What creates payouts knows the rails' limits from the environment's record.
    expect(await holders('sandbox-rail')).toEqual(thatAsk('rail'));
  });

  it('contain the table of confusable letters only where people are compared', async () => {
    const holds = async (name: string) => {
      const map = await mapOf(name);
      return map.sources.some((source) => source.includes('node_modules/unhomoglyph/'));
    };
    const holders = await Promise.all(files.map(async (name) => ((await holds(name)) ? [name] : [])));
    expect(holders.flat()).toEqual(['audit', 'carry-out']);
  });

  it('are summed up in one sentence and a table', () => {
    const two = [
      { name: 'small', bytes: 512, build: '' },
      { name: 'larger', bytes: 2048, build: '' },
    ];
    expect(buildSentence(two)).toBe('Bundled 2 functions, 2.5 KB in all.');
    expect(sizeTable(two)).toBe('larger    2.0 KB\nsmall     0.5 KB');
  });
});
