/** The latest of a history before a time. */
export type LatestQuery = { readonly before: Date; readonly limit: number };

/**
 * A part of a history in order of time: all from a time on, so that a reader can go on before that time. `more`: there are earlier ones,
 * and this part has more than the limit.
 */
export type Latest<T> = { readonly items: readonly T[]; readonly more: boolean };
