const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long to wait before each question to the rail; afterwards hourly (core, section 4.3; reliability, section 3). */
const gaps = [10 * seconds, 30 * seconds, 2 * minutes, 10 * minutes];

/** When the rail is asked next, after it was asked `checks` times without a final answer. */
export const nextCheckAt = (checks: number, now: Date): Date =>
  new Date(now.getTime() + (gaps[checks] ?? 1 * hours));

/** After a day of questions a person must look. */
export const isAskedLongEnough = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() >= 24 * hours;
