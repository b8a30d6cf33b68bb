import type { SeededRandom } from './seeded-random.ts';

export type Message = { readonly id: string; visibleAt: number; receives: number };

const hiddenMs = 180_000;
const mostReceives = 5;

/** A standard queue at its worst: messages arrive twice, late, in any order, or never. */
export class VirtualQueue {
  readonly #random: SeededRandom;
  #messages: Message[] = [];
  duplicated = 0;
  delayed = 0;
  lost = 0;
  faults = true;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  send(id: string, now: number, delaySeconds = 0): void {
    const at = now + delaySeconds * 1000;
    if (!this.faults) return this.#put(id, at);
    const fate = this.#random.weighted({ kept: 82, twice: 8, late: 6, never: 4 });
    if (fate === 'never') {
      this.lost += 1;
      return;
    }
    if (fate === 'late') this.delayed += 1;
    this.#put(id, fate === 'late' ? at + this.#random.below(20 * 60_000) : at);
    if (fate !== 'twice') return;
    this.duplicated += 1;
    this.#put(id, at + this.#random.below(60_000));
  }

  hasVisible(now: number): boolean {
    return this.#messages.some(({ visibleAt }) => visibleAt <= now);
  }

  /** Returns any visible message and hides it for the visibility timeout. */
  receive(now: number): Message | undefined {
    const visible = this.#messages.filter(({ visibleAt }) => visibleAt <= now);
    if (visible.length === 0) return undefined;
    const message = this.#random.pick(visible);
    message.visibleAt = now + hiddenMs;
    message.receives += 1;
    // The redrive policy moves it to the dead-letter queue.
    if (message.receives > mostReceives) {
      this.delete(message);
      return undefined;
    }
    return message;
  }

  delete(message: Message): void {
    this.#messages = this.#messages.filter((each) => each !== message);
  }

  get length(): number {
    return this.#messages.length;
  }

  #put(id: string, visibleAt: number): void {
    this.#messages.push({ id, visibleAt, receives: 0 });
  }
}
