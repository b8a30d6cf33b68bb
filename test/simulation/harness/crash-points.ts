import type { Fault } from './faults.ts';

export const crashes = ['crash_before', 'crash_after'] as const satisfies readonly Fault[];
type Crash = (typeof crashes)[number];

/** R4: before and after every outside call of every use case, and at which of them a handler died. */
export class CrashPoints {
  readonly #visited = new Map<string, Set<Crash>>();

  /** Makes a call site known; answers the crashes that are still to happen there. */
  wanted(site: string): readonly Crash[] {
    const visited = this.#visited.get(site) ?? new Set();
    this.#visited.set(site, visited);
    return crashes.filter((crash) => !visited.has(crash));
  }

  crashed(site: string, crash: Crash): void {
    this.#visited.get(site)?.add(crash);
  }

  add(other: CrashPoints): void {
    for (const [site, visited] of other.#visited) {
      this.wanted(site);
      for (const crash of visited) this.crashed(site, crash);
    }
  }

  get known(): number {
    return this.#visited.size * crashes.length;
  }

  get covered(): number {
    return [...this.#visited.values()].reduce((total, visited) => total + visited.size, 0);
  }

  missing(): readonly string[] {
    return [...this.#visited].flatMap(([site, visited]) =>
      crashes.filter((crash) => !visited.has(crash)).map((crash) => `${crash} ${site}`),
    );
  }
}
