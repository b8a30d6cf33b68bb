import { CommandError } from '../../../lib/installation/command-error.ts';

/** The first run after `after`. `since` is when the schedule was made: rates count from there. */
export type NextRun = (after: Date, since: Date) => Date;

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** Reads EventBridge's `rate(5 minutes)`, which is all that the stack uses. */
export function parseSchedule(expression: string): NextRun {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  const period = Number(rate?.[1]) * (units[rate?.[2] ?? ''] ?? 0);
  if (period > 0) return (after, since) => new Date(nextOfRate(after.getTime(), since.getTime(), period));
  throw new CommandError(`The local runner cannot read the schedule "${expression}" of the template.`);
}

const nextOfRate = (after: number, since: number, period: number): number =>
  since + (Math.floor((after - since) / period) + 1) * period;
