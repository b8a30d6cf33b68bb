import { CommandError } from '../command-error.ts';

/** The first run after `after`. `since` is when the schedule was made: rates count from there. */
export type NextRun = (after: Date, since: Date) => Date;

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** Reads EventBridge's `rate(5 minutes)` or `cron(0 3 * * ? *)`, in UTC. */
export function parseSchedule(expression: string): NextRun {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  const period = Number(rate?.[1]) * (units[rate?.[2] ?? ''] ?? 0);
  if (period > 0) return (after, since) => new Date(nextOfRate(after.getTime(), since.getTime(), period));

  const fields = /^cron\(([^()]+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6) throw unreadable(expression);
  const matches = fields.map((field, index) => fieldOf(field, index, expression));
  return (after) => nextOfCron(after, matches, expression);
}

const nextOfRate = (after: number, since: number, period: number): number =>
  since + (Math.floor((after - since) / period) + 1) * period;

type Matches = (value: number) => boolean;
const never: Matches = () => false;

/** Minute, hour, day of the month, month, day of the week (1 is Sunday), year. */
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [1, 7],
  [1970, 2199],
] as const;
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const names: readonly (readonly string[])[] = [[], [], [], months, weekdays, []];

function fieldOf(field: string, index: number, expression: string): Matches {
  const [lowest, highest] = ranges[index] ?? [0, 0];
  const numberOf = (text: string): number => {
    const named = (names[index] ?? []).indexOf(text.toUpperCase());
    const value = named >= 0 ? named + lowest : Number(text);
    if (!Number.isInteger(value) || value < lowest || value > highest) throw unreadable(expression);
    return value;
  };
  const parts = field.split(',').map((part): Matches => {
    const [range = '', step = '1'] = part.split('/');
    const every = numberOfStep(step, expression);
    const [from, to] = range.split('-');
    const first = range === '*' || range === '?' ? lowest : numberOf(from ?? '');
    const isSingle = range !== '*' && range !== '?' && to === undefined && !part.includes('/');
    const last = to === undefined ? (isSingle ? first : highest) : numberOf(to);
    return (value) => value >= first && value <= last && (value - first) % every === 0;
  });
  return (value) => parts.some((matches) => matches(value));
}

function numberOfStep(text: string, expression: string): number {
  const step = Number(text);
  if (Number.isInteger(step) && step > 0) return step;
  throw unreadable(expression);
}

/** Goes day by day, and through the minutes of a day that matches: at most a few thousand steps. */
function nextOfCron(after: Date, fields: readonly Matches[], expression: string): Date {
  const [minutes = never, hours = never, days = never, monthsOf = never, weekdaysOf = never, years = never] =
    fields;
  const at = new Date(Math.floor(after.getTime() / minute) * minute + minute);
  for (const last = at.getUTCFullYear() + 5; at.getUTCFullYear() <= last; ) {
    const isDay =
      years(at.getUTCFullYear()) &&
      monthsOf(at.getUTCMonth() + 1) &&
      days(at.getUTCDate()) &&
      weekdaysOf(at.getUTCDay() + 1);
    if (!isDay) at.setUTCHours(24, 0, 0, 0);
    else if (hours(at.getUTCHours()) && minutes(at.getUTCMinutes())) return at;
    else at.setUTCMinutes(at.getUTCMinutes() + 1);
  }
  throw unreadable(expression);
}

const unreadable = (expression: string): CommandError =>
  new CommandError(`The local runner can not read the schedule "${expression}" of the template.`);
