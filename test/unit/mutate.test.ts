import { describe, expect, it } from 'vitest';
import { type HitMap, testsOf, withMarks } from '../mutate/hit-map.ts';
import { applied, mutantsOf } from '../mutate/mutants.ts';
import { closing, interval, table, told } from '../mutate/report.ts';

const file = 'lib/bill/example.ts';
const changesOf = (text: string): readonly string[] =>
  mutantsOf(file, text).map((mutant) => applied(text, [mutant]).trim());

describe('the changes that are drawn from', () => {
  it.each([
    ['if (a < b) c();', ['if (true) c();', 'if (false) c();', 'if (a <= b) c();', 'if (a < b)']],
    ['const x = a && !b;', ['const x = a || !b;', 'const x = a && b;']],
    ['const x = a ?? b;', ['const x = a;']],
    ['const x = [a, ...b];', ['const x = [];', 'const x = [...b];', 'const x = [a];']],
    ['const x = { a, ...b };', ['const x = { ...b };', 'const x = { a };']],
    ['const f = () => a?.b;', ['const f = () => undefined;', 'const f = () => a.b;']],
    [
      "const x = 'деньги', y = true, z = 5n;",
      [
        "const x = '', y = true, z = 5n;",
        "const x = 'деньги', y = false, z = 5n;",
        "const x = 'деньги', y = true, z = 6n;",
      ],
    ],
    ['const x = list.every(f).trim();', ['const x = list.some(f).trim();', 'const x = list.every(f);']],
  ])('are those of %s', (text, expected) => {
    expect(changesOf(text).toSorted()).toEqual([...expected].toSorted());
  });

  it.each([
    "import { a } from 'b';",
    "export * from './b.ts';",
    "type A = 'b' | 1;",
    'interface A { b: true }',
    "throw new Error('a developer’s words')",
  ])('leave %s alone, or only drop it', (text) => {
    expect(changesOf(text).filter((changed) => changed !== '')).toEqual([]);
  });

  it('know the line and the function that they are in', () => {
    const text = 'const a = 1;\nconst f = () => {\n  return a;\n};';
    expect(mutantsOf(file, text)).toMatchObject([
      { line: 1, within: -1, original: '1', replacement: '2' },
      { line: 3, within: text.indexOf('()'), original: 'a', replacement: 'undefined' },
    ]);
  });

  it('are applied together, except one within another', () => {
    const text = 'const x = [1, 2];';
    const [emptied, , , one, two] = mutantsOf(file, text);
    expect([emptied, one, two].map((each) => each && told(each))).toEqual([
      `${file}:1 list emptied: [1, 2] -> []`,
      `${file}:1 number changed: 1 -> 2`,
      `${file}:1 number changed: 2 -> 3`,
    ]);
    expect(applied(text, [one!, two!])).toBe('const x = [2, 3];');
    expect(applied(text, [emptied!, two!])).toBe('const x = [1, 3];');
  });
});

describe('a marked source', () => {
  it('is the same program, and tells which functions ran', async () => {
    const text =
      'export const f = (a) => ({ a: g(a) });\nfunction g(a) { return a + 1; }\nconst h = () => 0;';
    const hits: unknown[] = [];
    Object.assign(globalThis, { __hit: (...hit: unknown[]) => hits.push(hit) });
    const { f } = await import(`data:text/javascript,${encodeURIComponent(withMarks(file, text))}`);
    expect(f(1)).toEqual({ a: 2 });
    expect(hits).toEqual([
      [file, -1],
      [file, text.indexOf('(a) =>')],
      [file, text.indexOf('function')],
    ]);
    Reflect.deleteProperty(globalThis, '__hit');
  });
});

describe('the tests of a change', () => {
  const reaching = (starts: number[], more: Partial<HitMap[string]> = {}) => ({
    of: '',
    ms: 10,
    passed: true,
    reached: { [file]: { of: '', starts } },
    ...more,
  });
  const mutant = { file, line: 1, operator: '', original: '', replacement: '', start: 0, end: 1 };
  const map: HitMap = {
    'test/http/slow.test.ts': reaching([-1, 7], { ms: 5_000 }),
    'test/unit/quick.test.ts': reaching([-1, 7]),
    'test/unit/loads-it.test.ts': reaching([-1]),
    'test/unit/broken.test.ts': reaching([-1, 7], { passed: false }),
    'test/unit/elsewhere.test.ts': reaching([], { reached: {} }),
  };

  it('are those that call its function, the quickest first, and none that fails anyway', () => {
    expect(testsOf(map, { ...mutant, within: 7 })).toEqual([
      'test/unit/quick.test.ts',
      'test/http/slow.test.ts',
    ]);
  });

  it('of what is evaluated once are all in a process that loads it', () => {
    const template: HitMap = {
      'test/infra/first.test.ts': reaching([-1]),
      'test/infra/second.test.ts': reaching([], { reached: {} }),
    };
    expect(testsOf(template, { ...mutant, within: -1 })).toHaveLength(2);
  });
});

describe('the report', () => {
  const mutant = {
    file,
    line: 3,
    operator: 'flag turned',
    original: 'true',
    replacement: 'false',
    start: 0,
    end: 4,
    within: -1,
  };
  const other = { ...mutant, file: 'functions/a.ts' };

  it('counts by room', () => {
    const lines = table(
      [mutant, mutant, other],
      [
        { mutant, by: 'a test' },
        { mutant: other, by: undefined },
      ],
    );
    expect(lines.split('\n').map((line) => line.split(/\s+/))).toEqual([
      ['room', 'sites', 'sampled', 'found', 'survived'],
      ['functions', '1', '1', '0', '1'],
      ['lib/bill', '2', '1', '1', '0'],
      ['all', '3', '2', '1', '1'],
    ]);
  });

  it('ends with the score, each survivor and what to do', () => {
    const words = closing([
      { mutant, by: 'a test' },
      { mutant: other, by: undefined },
    ]);
    expect(words).toMatch(/^1 of 2 found: 50\.0 % \(95 % confidence: 9\.5 to 90\.5\)\./);
    expect(words).toContain('\n  functions/a.ts:3 flag turned: true -> false\n');
    expect(words).toContain('write the test that fails with this change');
    expect(closing([{ mutant, by: 'a test' }])).toMatch(/Every change was noticed/);
  });

  it.each([
    [0, 10, 0, 27.8],
    [219, 239, 87.4, 94.5],
    [50, 50, 92.9, 100],
  ])('knows how sure %i of %i is', (found, of, low, high) => {
    expect(interval(found, of).map((end) => Math.round(end * 10) / 10)).toEqual([low, high]);
  });
});
