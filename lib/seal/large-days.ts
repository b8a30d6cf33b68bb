import type { DayEntries } from './seal.ts';

/** The chains whose days are read at the same time. */
export const chainsAtOnce = 8;
/** How many entries each of the days that are read at the same time may have. */
const mostBeside = 20_000;

/** A chain's part in the days that are read at the same time. */
export type Turn = {
  /** Waits, when the day has become large, until no other large day is being read. */
  readonly take: (day: Pick<DayEntries, 'count'>) => Promise<void>;
  /** The day is done, or given up. */
  readonly end: () => void;
};

/** Lets one large day grow at a time: the memory of a function has room for one, not for that of each chain that is read at once. */
export class LargeDays {
  #before: Promise<void> = Promise.resolve();

  turn(): Turn {
    let end: (() => void) | undefined;
    return {
      take: async ({ count }) => {
        if (end || count <= mostBeside) return;
        const before = this.#before;
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#before = promise;
        end = resolve;
        await before;
      },
      end: () => {
        end?.();
        end = undefined;
      },
    };
  }
}
