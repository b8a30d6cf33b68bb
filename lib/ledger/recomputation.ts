import type { Entry } from './entry.ts';

/**
 * Returns the entry that a posting makes from its subject as it is stored, made by the posting's own code; undefined when the subject's state
 * has no such entry. `posted` is what the journal has, if anything: where the subject does not store when it was posted, its time counts.
 */
export type Recomputation<S> = (subject: S, posted: Entry | undefined) => Entry | undefined;

/** The clocks of two functions differ by less. */
export const clocksDifferMs = 10 * 60_000;

/** Whether a time was before another, each by the clock of whoever wrote it. */
export const isBefore = (one: Date, other: Date): boolean =>
  one.getTime() <= other.getTime() - clocksDifferMs;

/**
 * Returns when the entry was posted, of a subject that does not store it; never before `earliest`, by the clock of whoever wrote that.
 */
export const postedSince = (posted: Entry | undefined, earliest: Date): Date =>
  posted && !isBefore(posted.at, earliest) ? posted.at : earliest;

/** The same where one function compared both times: never earlier. */
export const postedFrom = (posted: Entry | undefined, earliest: Date): Date =>
  posted && posted.at > earliest ? posted.at : earliest;
