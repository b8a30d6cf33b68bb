/** Running sums by name; zero for a name without one. */
export class Tally {
  readonly #sums = new Map<string, bigint>();

  add(name: string, minor: bigint): void {
    this.#sums.set(name, this.of(name) + minor);
  }

  of(name: string): bigint {
    return this.#sums.get(name) ?? 0n;
  }

  names(): readonly string[] {
    return [...this.#sums.keys()];
  }
}
