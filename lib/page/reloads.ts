import type { PageRequest } from './request.ts';

/**
 * Seconds before each reload of a page that waits. They grow, so that reloads do not keep interrupting a reader, and end after
 * a little over an hour, the longest that a payment's page is open: a forgotten tab does not reload for ever.
 */
const pauses = [2, 3, 5, 10, 20, 30, 60, 60, 60, 120, 120, ...Array.from({ length: 12 }, () => 300)];

/** How often the page was shown in a row before, by its own URL. */
export function checksIn({ query }: Pick<PageRequest, 'query'>): number {
  const checks = Number(query['check'] ?? 0);
  return Number.isInteger(checks) && checks > 0 ? Math.min(checks, pauses.length) : 0;
}

/** Returns the seconds until the next reload; undefined when the page no longer reloads by itself. */
export const pauseAfter = (checks: number): number | undefined => pauses[checks];
