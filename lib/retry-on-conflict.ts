import { Defect } from './defect.ts';

/** What an attempt answers when another writer changed what it had read. */
export const conflict = Symbol('conflict');

type Exhausted<T> = {
  /** Attempts in all. Each that is lost means that somebody else wrote just then, so few are needed. */
  readonly rounds?: number;
  /** The answer, or the defect, when every attempt met a conflict. */
  readonly exhausted: () => T;
};

/**
 * Optimistic locking: `attempt` reads, decides, and writes under the condition that nothing changed since it read. After
 * a conflict it is made again.
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

/** `exhausted` where so many conflicts cannot happen by chance. */
export const tooManyConflicts = (what: string) => (): never => {
  throw new Defect('CONTENDED_IN_EVERY_ROUND', `${what} was changed by others in every round`);
};
