import { Defect } from './defect.ts';

/** Returned by an attempt when another writer changed what it had read. */
export const conflict = Symbol('conflict');

type Exhausted<T> = {
  /** The number of attempts. Each conflict means that another writer succeeded, so few are needed. */
  readonly rounds?: number;
  /** Returns the result, or throws the defect, when every attempt met a conflict. */
  readonly exhausted: () => T;
};

/**
 * Optimistic locking: `attempt` reads, decides, and writes on condition that nothing changed since the read. After a conflict it
 * runs again.
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | typeof conflict>,
  { rounds = 5, exhausted }: Exhausted<T>,
): Promise<T> {
  for (let round = 0; round < rounds; round += 1) {
    const answer = await attempt();
    if (answer !== conflict) return answer;
  }
  return exhausted();
}

/** `exhausted` for records that cannot have that many conflicts by chance. */
export const tooManyConflicts = (what: string) => (): never => {
  throw new Defect('CONTENDED_IN_EVERY_ROUND', `${what} was changed by another writer in every round`);
};
