import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { optionsOf } from './arguments.ts';
import { keysOf } from './harness/keys.ts';
import { isManners, mannerSets } from './harness/manner-sets.ts';
import { mutants } from './mutants/all.ts';
import { bundle, fileOf } from './mutants/bundle.ts';
import type { Mutant } from './mutants/mutant.ts';
import { scenarios } from './mutants/scenarios.ts';
import type { Verdict } from './mutants/trial.ts';

const usage = `npm run mutants -- [options]: removes each guard in turn; a scenario, a seed or an audit must report a violation.

  --only <names>    removes these guards alone (separated by commas), each tried by its own scenario
  --manners <name>  tries each guard with seeds of these manners, in place of its scenario
  --seeds <number>  maximum number of seeds per guard (30)
  --steps <number>  steps per seed (2000)
  --jobs <number>   guards tried concurrently (2)`;

const values = optionsOf(usage, {
  only: { type: 'string' },
  manners: { type: 'string' },
  seeds: { type: 'string', default: '30' },
  steps: { type: 'string', default: '2000' },
  jobs: { type: 'string', default: '2' },
});

const execute = promisify(execFile);

/** The file of the installation that corruptions change: made once, by the unpatched code. */
const installation = fileOf('installation');

function argumentsOf(by: Mutant['by']): readonly string[] {
  if ('scenario' in by) return ['scenario', by.scenario];
  if ('corruption' in by) return ['corruption', by.corruption, installation];
  return ['simulation', by.focus, values.seeds, values.steps, by.manners ?? ''];
}

const trial = (file: string, by: Mutant['by']): Promise<Verdict> => ran(file, argumentsOf(by));

async function ran(file: string, args: readonly string[]): Promise<Verdict> {
  const { stdout } = await execute(process.execPath, ['--enable-source-maps', file, ...args]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
}

type Tried = { readonly mutant: Mutant; readonly verdict: Verdict; readonly seconds: number };

async function tried(mutant: Mutant): Promise<Tried> {
  const begun = performance.now();
  const verdict = await trial(await bundle(mutant.name, mutant.patches), mutant.by);
  const one = { mutant, verdict, seconds: (performance.now() - begun) / 1000 };
  console.log(lineOf(one));
  return one;
}

function lineOf({ mutant, verdict, seconds }: Tried): string {
  const { violation, seed, steps } = verdict;
  const name = mutant.name.padEnd(34);
  const time = `${seconds.toFixed(1)} s`.padStart(8);
  if (!violation) return `survived ${name}${time}  ${mutant.guard}: no violation in ${steps} steps`;
  const where = whereOf(mutant.by, seed);
  const [what = ''] = violation.text.split('\n');
  return `killed   ${name}${time}  ${where}: ${violation.invariant}: ${what.slice(0, 160)}`;
}

function whereOf(by: Mutant['by'], seed: number | undefined): string {
  if ('scenario' in by) return `scenario "${by.scenario}"`;
  if ('corruption' in by) return `corruption "${by.corruption}"`;
  return `seed ${seed}, focus ${by.focus}, manners ${by.manners ?? 'drawn'}`;
}

/** Checks that no scenario reports a violation in the unpatched code; such a scenario would kill every mutant. */
async function checkUnpatched(): Promise<void> {
  const file = await bundle('unpatched', []);
  const own = new Set<string>(chosen.flatMap(({ by }) => ('scenario' in by ? [by.scenario] : [])));
  for (const scenario of scenarios.filter((each) => only === undefined || own.has(each))) {
    const { violation } = await trial(file, { scenario });
    if (violation)
      throw new Error(`Scenario "${scenario}" reports a violation in the unpatched code: ${violation.text}`);
  }
  if (!chosen.some(({ by }) => 'corruption' in by)) return;
  const { violation } = await ran(file, ['installation', installation]);
  if (violation) throw new Error(`The unpatched audit finds something else: ${violation.text}`);
}

/** Tries all mutants, `--jobs` at a time. */
async function inTurn(list: readonly Mutant[]): Promise<readonly Tried[]> {
  const waiting = [...list];
  const done: Tried[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done.push(await tried(next));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return done;
}

const only = values.only?.split(',');
const { manners } = values;
if (manners !== undefined && !isManners(manners)) {
  console.error(`There are no manners "${manners}": ${keysOf(mannerSets).join(', ')}.`);
  process.exit(2);
}
const bySeeds = (mutant: Mutant): Mutant =>
  manners ? { ...mutant, by: { focus: 'mixed', manners } } : mutant;
const chosen = mutants.filter(({ name }) => only?.includes(name) ?? true).map(bySeeds);
if (chosen.length === 0) {
  console.error(`There is no mutant "${values.only}": ${mutants.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
await checkUnpatched();
const done = await inTurn(chosen);
const survivors = done.filter(({ verdict }) => !verdict.violation).map(({ mutant }) => mutant.name);
console.log(
  survivors.length === 0
    ? `\nAll ${done.length} mutants were killed: each guard is needed.`
    : `\n${survivors.length} of ${done.length} mutants survived. Write a scenario for each of these guards: ${survivors.join(', ')}.`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
