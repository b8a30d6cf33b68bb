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

/** Providers keep an idempotency key for 24 hours; two hours are the margin for clocks and calls in flight. */
const keyLifeMs = 22 * hours;

/** Whether the same key can still be sent without the danger of a second transfer. */
export const isKeyAlive = (firstCallAt: Date | undefined, now: Date): boolean =>
  firstCallAt === undefined || now.getTime() - firstCallAt.getTime() <= keyLifeMs;

/** When to send again after the rail took nothing: its account was empty, or it refused the operator's credentials. */
export const nextTryAt = (now: Date): Date => new Date(now.getTime() + 10 * minutes);
