import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<() => number>();

/** Does the work of one invocation, whose time ends as `remaining` says, in milliseconds from now. */
export const withDeadline = <T>(remaining: () => number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(remaining, work);

/** What is left of the invocation; without end for what is no function. */
export const remainingMs = (): number => deadlines.getStore()?.() ?? Number.POSITIVE_INFINITY;
