/** The latest of a history before a time. */
export type LatestQuery = { readonly before: Date; readonly limit: number };

/** A part of a history, in order of time: all since `completeFrom`; undefined: all there is. Before that time a reader can go on. */
export type Latest<T> = { readonly items: readonly T[]; readonly completeFrom: Date | undefined };

/** Returns the latest of these times: since then, histories that are complete from them are all complete. */
export const latestTime = (times: readonly Date[]): Date | undefined =>
  times.toSorted((one, other) => one.getTime() - other.getTime()).at(-1);
