import { availableParallelism } from 'node:os';
import { optionsOf } from '../simulation/arguments.ts';
import { SeededRandom } from '../simulation/harness/seeded-random.ts';
import { failing, type HitMap, hitMap, msOf, testsOf } from './hit-map.ts';
import { applied, type Mutant, mutantsOf, parses } from './mutants.ts';
import { closing, roomOf, table, told, type Tried } from './report.ts';
import { endTests, runTests } from './run-tests.ts';
import { filesOfTree, Tree } from './tree.ts';
import { compiles } from './types.ts';

const usage = `npm run mutate -- [options]: changes a copy of the code at random; the tests must fail.

  --sample <number>      number of changes (50)
  --seed <number>        the same seed draws the same changes from the same code (1)
  --room <name>          only changes of this folder, such as lib/payout
  --at <file>:<line>     every change of this line
  --jobs <number>        changes tried concurrently (one per processor, two at most)
  --quick                without the running stack and the simulation`;

const values = optionsOf(usage, {
  sample: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
  room: { type: 'string' },
  at: { type: 'string' },
  jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  quick: { type: 'boolean', default: false },
});

/** Excludes the command line, the sandbox, the local runner and `npm start`, whose defects move no money. */
const isSource = (file: string): boolean =>
  /^(lib|functions|infra)\/.*\.ts$/.test(file) &&
  !/^(lib\/(cli|sandbox)|infra\/(local|start))\//.test(file) &&
  !file.endsWith('.d.ts');

/** The first few tests are the most likely to fail, often within a second. */
const firstTests = 3;

/** That test reads the sources: it would detect a changed text, not a changed behaviour. */
const notTheList = '--testNamePattern=^(?!.*the list of mutants)';

const files = filesOfTree();
const sources = files.filter(isSource);
const jobs = Math.max(1, Number(values.jobs));
const trees = await Promise.all(Array.from({ length: jobs }, () => Tree.copied(files)));
const [main] = trees;
if (!main) throw new Error('There is no tree');

async function mutate(first: Tree): Promise<void> {
  const begun = performance.now();
  const texts = new Map(
    await Promise.all(sources.map(async (file) => [file, await first.read(file)] as const)),
  );
  const sites = [...texts].flatMap(([file, text]) => mutantsOf(file, text));
  const chosen = drawn(sites, texts);
  if (chosen.length === 0) {
    console.error('No change is possible there: name a folder or a line of lib, functions or infra.');
    process.exitCode = 2;
    return;
  }
  console.log(`${chosen.length} of ${sites.length} possible changes, ${jobs} at a time.`);
  const map = await hitMap(first, files, sources);
  const broken = Object.entries(map).flatMap(([test, { passed }]) => (passed ? [] : [test]));
  if (broken.length > 0) console.log(`Excluded, because they fail without a change: ${broken.join(', ')}.`);

  const quick = await inTurn(chosen, async (mutant, tree) => ({
    mutant,
    by: await quickTest(tree, mutant, map),
  }));
  const compiled = await inTurn(survivorsOf(quick), async (mutant, tree) => ({
    mutant,
    by: (await compiles(tree, mutant)) ? undefined : 'the type check',
  }));
  const slow = values.quick ? [] : await inStack(first, survivorsOf(compiled));
  const tried = merged(merged(quick, compiled), slow);

  console.log(`\n${table(sites, tried)}\n\n${closing(tried)}`);
  console.log(`It took ${Math.ceil((performance.now() - begun) / 60_000)} minutes.`);
  process.exitCode = survivorsOf(tried).length === 0 ? 0 : 1;
}

const survivorsOf = (tried: readonly Tried[]): readonly Mutant[] =>
  tried.filter(({ by }) => by === undefined).map(({ mutant }) => mutant);

const merged = (before: readonly Tried[], after: readonly Tried[]): readonly Tried[] =>
  before.map((one) => after.find(({ mutant }) => mutant === one.mutant) ?? one);

function drawn(sites: readonly Mutant[], texts: ReadonlyMap<string, string>): readonly Mutant[] {
  const isWanted = ({ file, line }: Mutant) =>
    (values.room === undefined || roomOf(file) === values.room) &&
    (values.at === undefined || `${file}:${line}` === values.at);
  const isProgram = (mutant: Mutant) => parses(mutant.file, applied(texts.get(mutant.file) ?? '', [mutant]));
  const wanted = sites.filter(isWanted);
  if (values.at !== undefined) return wanted.filter(isProgram);
  const random = new SeededRandom(Number(values.seed));
  const chosen = new Set<Mutant>();
  const most = Math.min(Number(values.sample), wanted.length);
  for (let tries = 0; chosen.size < most && tries < 100 * most; tries += 1) {
    const mutant = random.pick(wanted);
    if (isProgram(mutant)) chosen.add(mutant);
  }
  return [...chosen];
}

/** Tries the mutants, one per tree concurrently; prints each result. */
async function inTurn(
  mutants: readonly Mutant[],
  attempt: (mutant: Mutant, tree: Tree) => Promise<Tried>,
): Promise<readonly Tried[]> {
  const waiting = [...mutants];
  const done: Tried[] = [];
  const worker = async (tree: Tree) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const tried = await attempt(next, tree);
      done.push(tried);
      console.log(
        `${String(done.length).padStart(4)}/${mutants.length}  ${told(next)}  ${tried.by ?? 'NOT YET FOUND'}`,
      );
    }
  };
  await Promise.all(trees.map(worker));
  return done;
}

async function quickTest(tree: Tree, mutant: Mutant, map: HitMap): Promise<string | undefined> {
  const tests = testsOf(map, mutant);
  for (const some of [tests.slice(0, firstTests), tests.slice(firstTests)]) {
    if (some.length === 0) continue;
    const limitMs = 60_000 + 4 * msOf(map, some);
    const words = ['--bail=1', '--maxWorkers=1', ...some];
    const { why } = await tree.with([mutant], () => runTests(tree, { words, limitMs }));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Runs once with all survivors; test files that fail only with them run again for each survivor alone. */
async function inStack(tree: Tree, mutants: readonly Mutant[]): Promise<readonly Tried[]> {
  if (mutants.length === 0) return [];
  console.log(`Running the stack and the simulation with ${mutants.length} changes together.`);
  const run = (own: Tree, ...words: string[]) =>
    runTests(own, { words: ['--project=stack', '--project=slow', notTheList, ...words], limitMs: 3_600_000 });
  const together = await tree.with(mutants, () => run(tree));
  const failed = failing(together.files);
  if (failed.length === 0) return [];
  const broken = failing((await run(tree, ...failed)).files);
  const suspects = failed.filter((file) => !broken.includes(file));
  console.log(`${suspects.length} files fail with them; trying each change alone in these files.`);
  if (suspects.length === 0) return [];
  return inTurn(mutants, async (mutant, own) => ({
    mutant,
    by: (await own.with([mutant], () => run(own, '--bail=1', '--maxWorkers=1', ...suspects))).why,
  }));
}

const cleanUp = () => {
  endTests();
  for (const tree of trees) tree.remove();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(130);
  });
try {
  await mutate(main);
} finally {
  cleanUp();
}
