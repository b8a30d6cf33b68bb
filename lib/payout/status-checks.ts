const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long to wait before each check with the rail; afterwards hourly (lib/payout/README.md). */
const gaps = [10 * seconds, 30 * seconds, 2 * minutes, 10 * minutes];

/** Returns the time of the next check with the rail after `checks` checks without a final response. */
export const nextCheckAt = (checks: number, now: Date): Date =>
  new Date(now.getTime() + (gaps[checks] ?? hours));

/** Whether a day of checks is over; the payout then goes to ERROR. */
export const isCheckWindowOver = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() >= 24 * hours;
