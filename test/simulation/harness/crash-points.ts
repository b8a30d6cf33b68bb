import type { Fault } from './faults.ts';

export const crashes = ['crash_before', 'crash_after'] as const satisfies readonly Fault[];
type Crash = (typeof crashes)[number];

/** A crash before or after the call of this name. */
export type CrashPoint = { readonly site: string; readonly crash: Crash };

export const nameOfPoint = ({ site, crash }: CrashPoint): string => `${crash} ${site}`;

/** The crash points before and after every outside call of every use case, and which of them were visited. */
export class CrashPoints {
  readonly #visited = new Map<string, Set<Crash>>();

  /** Registers a call site; returns the crashes that have not happened there yet. */
  wanted(site: string): readonly Crash[] {
    const visited = this.#visited.get(site) ?? new Set();
    this.#visited.set(site, visited);
    return crashes.filter((crash) => !visited.has(crash));
  }

  crashed(site: string, crash: Crash): void {
    this.#visited.get(site)?.add(crash);
  }

  /** Adds the visits of another run; `onlyKnown` ignores call sites that this one has not registered. */
  add(other: CrashPoints, { onlyKnown = false } = {}): void {
    for (const [site, visited] of other.#visited) {
      if (onlyKnown && !this.#visited.has(site)) continue;
      this.wanted(site);
      for (const crash of visited) this.crashed(site, crash);
    }
  }

  has({ site, crash }: CrashPoint): boolean {
    return this.#visited.get(site)?.has(crash) === true;
  }

  get sites(): readonly string[] {
    return [...this.#visited.keys()];
  }

  get known(): number {
    return this.#visited.size * crashes.length;
  }

  get covered(): number {
    return [...this.#visited.values()].reduce((total, visited) => total + visited.size, 0);
  }

  missing(): readonly CrashPoint[] {
    return this.sites.flatMap((site) =>
      crashes.map((crash) => ({ site, crash })).filter((point) => !this.has(point)),
    );
  }
}
