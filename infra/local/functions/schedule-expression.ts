import { CommandError } from '../../../lib/installation/command-error.ts';

/** Returns the first run after `after`. `since` is the schedule's creation, from which rates count. */
export type NextRun = (after: Date, since: Date) => Date;

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** Parses EventBridge's rate expressions, such as `rate(5 minutes)`. Throws for any other expression. */
export function parseSchedule(expression: string): NextRun {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  const period = Number(rate?.[1]) * (units[rate?.[2] ?? ''] ?? 0);
  if (period > 0) return (after, since) => new Date(nextOfRate(after.getTime(), since.getTime(), period));
  throw new CommandError(`The local runner cannot read the schedule "${expression}" of the template.`);
}

const nextOfRate = (after: number, since: number, period: number): number =>
  since + (Math.floor((after - since) / period) + 1) * period;
