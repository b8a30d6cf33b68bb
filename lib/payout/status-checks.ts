const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long to wait before each check with the rail; afterwards hourly (lib/payout/README.md). */
const gaps = [10 * seconds, 30 * seconds, 2 * minutes, 10 * minutes];

/** When the rail is asked next, after it was asked `checks` times without a final answer. */
export const nextCheckAt = (checks: number, now: Date): Date =>
  new Date(now.getTime() + (gaps[checks] ?? hours));

/** After a day of checks a person must look. */
export const isCheckWindowOver = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() >= 24 * hours;
