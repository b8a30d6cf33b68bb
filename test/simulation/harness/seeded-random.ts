import { keysOf } from './keys.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Seeded random numbers (sfc32): the same seed gives the same sequence, which makes runs replayable. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed, 0x9e3779b1) | 0;
    this.#c = Math.imul(stream + 1, 0x85ebca6b) | 0;
    for (let warm = 0; warm < 20; warm += 1) this.next();
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked;
  }

  /** Draws a name in proportion to its weight among those for which `isWanted` holds. */
  weighted<T extends string>(
    weights: Readonly<Partial<Record<T, number>>>,
    isWanted: (name: T) => boolean = () => true,
  ): T {
    const names = keysOf(weights).filter(isWanted);
    const total = names.reduce((sum, name) => sum + (weights[name] ?? 0), 0);
    let left = this.next() * total;
    const found = names.find((name) => (left -= weights[name] ?? 0) < 0) ?? names[0];
    if (found === undefined) throw new Error('There is nothing to draw from');
    return found;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  id(length: number): string {
    return Array.from({ length }, () => digits.charAt(this.below(digits.length))).join('');
  }
}
