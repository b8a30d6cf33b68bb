import { readFile, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { corruptions } from '../corruptions/all.ts';
import { Installation } from '../corruptions/installation.ts';
import {
  CorruptibleInstallation,
  namesOf,
  recorded,
  type RecordedInstallation,
} from '../corruptions/corruptible.ts';
import { isFocus } from '../harness/focus.ts';
import { isManners } from '../harness/manner-sets.ts';
import { startTables } from '../harness/tables.ts';
import type { Violation } from '../harness/world.ts';
import { run } from '../run.ts';
import { play, scenarios } from './scenarios.ts';

/**
 * `trial scenario <name>`, `trial corruption <name> <installation>` and `trial simulation <focus> <seeds> <steps> [<manners>]` print this as
 * one line of JSON. `trial installation <file>` writes the installation that corruptions change.
 */
export type Verdict = {
  readonly violation: Violation | undefined;
  readonly seed?: number;
  readonly steps: number;
};

const [kind = '', what = '', seeds = '1', steps = '1000', manners = ''] = process.argv.slice(2);
const tables = await startTables();
try {
  const tried = { scenario: played, corruption: audited, installation: stored, simulation: simulated }[kind];
  if (!tried) throw new Error(`There is no kind of trial "${kind}"`);
  process.stdout.write(`${JSON.stringify(await tried())}\n`);
} finally {
  await tables.stop();
}

async function played(): Promise<Verdict> {
  const scenario = scenarios.find((each) => each === what);
  if (!scenario) throw new Error(`There is no scenario "${what}"`);
  const { violations, scheduler } = await play(tables, scenario);
  return { violation: violations[0], steps: scheduler.step };
}

/** Writes an installation as the use cases make it, and checks that each corruption of it is found. */
async function stored(): Promise<Verdict> {
  const installation = await recorded(await Installation.make(tables));
  await writeFile(what, serialize(installation));
  return auditedOn(installation, 'all');
}

async function audited(): Promise<Verdict> {
  const installation: RecordedInstallation = deserialize(await readFile(seeds));
  return auditedOn(installation, what);
}

/** A finding that is missing, or one too many, of `all` corruptions or one. */
async function auditedOn(made: RecordedInstallation, which: string): Promise<Verdict> {
  const installation = new CorruptibleInstallation(made);
  const chosen = corruptions.filter(({ name }) => which === 'all' || name === which);
  if (chosen.length === 0) throw new Error(`There is no corruption "${which}"`);
  for (const { name, does, finds } of chosen) {
    const found = namesOf(await installation.findings(does));
    const missed = finds.filter((each) => !found.includes(each)).map((each) => `not found: ${each}`);
    const unexpected = found.filter((each) => !finds.includes(each)).map((each) => `found: ${each}`);
    const [difference] = [...missed, ...unexpected];
    if (difference !== undefined)
      return { violation: { invariant: 'audit', text: `${name}: ${difference}` }, steps: 1 };
  }
  return { violation: undefined, steps: chosen.length };
}

async function simulated(): Promise<Verdict> {
  if (!isFocus(what)) throw new Error(`There is no focus "${what}"`);
  let made = 0;
  for (let seed = 1; seed <= Number(seeds); seed += 1) {
    const { violations, scheduler } = await run(tables, {
      seed,
      steps: Number(steps),
      focus: what,
      ...(isManners(manners) && { manners }),
    });
    made += scheduler.step;
    if (violations.length > 0) return { violation: violations[0], seed, steps: made };
  }
  return { violation: undefined, steps: made };
}
