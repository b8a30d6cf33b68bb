import { isFocus } from '../harness/focus.ts';
import { isManners } from '../harness/manner-sets.ts';
import { startTables } from '../harness/tables.ts';
import type { Violation } from '../harness/world.ts';
import { run } from '../run.ts';
import { play, scenarios } from './scenarios.ts';

/** `trial scenario <name>` and `trial simulation <focus> <seeds> <steps> [<manners>]` print this as one line of JSON. */
export type Verdict = {
  readonly violation: Violation | undefined;
  readonly seed?: number;
  readonly steps: number;
};

const [kind = '', what = '', seeds = '1', steps = '1000', manners = ''] = process.argv.slice(2);
const tables = await startTables();
try {
  process.stdout.write(`${JSON.stringify(await (kind === 'scenario' ? played() : simulated()))}\n`);
} finally {
  await tables.stop();
}

async function played(): Promise<Verdict> {
  const scenario = scenarios.find((each) => each === what);
  if (!scenario) throw new Error(`There is no scenario "${what}"`);
  const { violations, scheduler } = await play(tables, scenario);
  return { violation: violations[0], steps: scheduler.step };
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
