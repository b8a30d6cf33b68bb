import { parseArgs } from 'node:util';
import { focuses, isFocus } from './harness/focus.ts';
import { startTables } from './harness/tables.ts';
import { Report } from './report.ts';
import { run } from './run.ts';

/**
 * `npm run simulate -- --seeds N --steps M [--seed S] [--focus F]`: N seeds from S on, M steps each. A seed replays the same run.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    steps: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    focus: { type: 'string', default: 'mixed' },
    'until-violation': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const whole = (name: 'seeds' | 'steps' | 'seed'): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above zero, not "${values[name]}".`);
  process.exit(2);
};

const { focus } = values;
if (!isFocus(focus)) {
  console.error(`--focus may be ${Object.keys(focuses).join(', ')}, not "${focus}".`);
  process.exit(2);
}
const [seeds, steps, first] = [whole('seeds'), whole('steps'), whole('seed')];
const tables = await startTables();
const report = new Report({ seeds, steps, focus, isQuiet: values.json });
try {
  for (let seed = first; seed < first + seeds; seed += 1) {
    const world = await run(tables, { seed, steps, focus, onStep: (at) => report.progress(at) });
    report.add(world);
    if (values['until-violation'] && world.violations.length > 0) break;
  }
} finally {
  await tables.stop();
}
console.log(values.json ? JSON.stringify(report.summary()) : report.text());
process.exitCode = report.violations.length === 0 ? 0 : 1;
