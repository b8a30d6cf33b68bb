import { optionsOf } from './arguments.ts';
import { type CrashPoint, crashes, nameOfPoint } from './harness/crash-points.ts';
import { type Focus, focuses, isFocus } from './harness/focus.ts';
import { keysOf } from './harness/keys.ts';
import { isManners, type Manners, mannerSets } from './harness/manner-sets.ts';
import { startTables } from './harness/tables.ts';
import { Report } from './report.ts';
import { run } from './run.ts';

const usage = `npm run simulate -- [options]: runs the real code under injected faults; a seed replays the same run.

  --seeds <number>    number of seeds (10)
  --steps <number>    steps per seed (3000)
  --seed <number>     first seed (1)
  --focus <name>      ${Object.keys(focuses).join(', ')} (mixed)
  --manners <name>    how the providers behave: ${keysOf(mannerSets).join(', ')} (each seed draws its own)
  --locks             transactions hold their items for some steps and refuse conflicting writes meanwhile
  --minutes <number>  starts no new seed after this many minutes
  --every-point       then crashes at each crash point not visited yet, one run per point
  --point <name>      crashes at this crash point
  --json              prints one JSON document`;

const values = optionsOf(usage, {
  seeds: { type: 'string', default: '10' },
  steps: { type: 'string', default: '3000' },
  seed: { type: 'string', default: '1' },
  focus: { type: 'string', default: 'mixed' },
  'every-point': { type: 'boolean', default: false },
  manners: { type: 'string' },
  point: { type: 'string' },
  locks: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '100000' },
  json: { type: 'boolean', default: false },
});

const whole = (name: 'seeds' | 'steps' | 'seed' | 'minutes'): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above zero, not "${values[name]}".`);
  process.exit(2);
};

const focusNamed = (name: string): Focus => {
  if (isFocus(name)) return name;
  console.error(`--focus must be one of ${Object.keys(focuses).join(', ')}, not "${name}".`);
  process.exit(2);
};
const focus = focusNamed(values.focus);
const mannersNamed = (name: string): Manners => {
  if (isManners(name)) return name;
  console.error(`--manners must be one of ${keysOf(mannerSets).join(', ')}, not "${name}".`);
  process.exit(2);
};
const manners = values.manners === undefined ? undefined : mannersNamed(values.manners);
const { locks } = values;
const [seeds, steps, first] = [whole('seeds'), whole('steps'), whole('seed')];
const until = performance.now() + whole('minutes') * 60_000;
const pointNamed = (name: string): CrashPoint => {
  const crash = crashes.find((each) => name.startsWith(`${each} `));
  if (crash) return { crash, site: name.slice(crash.length + 1) };
  console.error(`--point must begin with ${crashes.join(' or ')}, not "${name}".`);
  process.exit(2);
};
const aimed = values.point === undefined ? {} : { aim: pointNamed(values.point) };
const tables = await startTables();
const report = new Report({ seeds, steps, focus, manners, locks, isQuiet: values.json });
try {
  for (let seed = first; seed < first + seeds && performance.now() < until; seed += 1) {
    const world = await run(tables, {
      seed,
      steps,
      focus,
      locks,
      ...(manners && { manners }),
      ...aimed,
      onStep: (at) => report.progress(at),
    });
    report.add(world);
  }
  if (values['every-point']) await visitEveryPoint();
} finally {
  await tables.stop();
}
/** Runs once for each crash point not visited yet, including the points that these runs discover. */
async function visitEveryPoint(): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const next = report.notVisited().find(({ point }) => !tried.has(nameOfPoint(point)));
    if (!next) return;
    tried.add(nameOfPoint(next.point));
    const { seed, point } = next;
    report.add(
      await run(tables, {
        seed,
        steps,
        focus,
        locks,
        ...(manners && { manners }),
        aim: point,
        onStep: (at) => report.progress(at),
      }),
    );
  }
}

console.log(values.json ? JSON.stringify(report.summary()) : report.text());
process.exitCode = report.violations.length === 0 ? 0 : 1;
