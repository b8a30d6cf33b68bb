import type { Tell } from './watch.ts';

/** The calls under one key: how many were begun, refused definitely, and answered as busy. */
type Calls = { begun: number; refused: number; busy: number };

/** How a call was answered, as the handler received it. `busy`: not carried out. */
export type Answer = 'refused' | 'busy' | 'done';

/** 22 hours and the longest run of a handler, which may be suspended between its record and its call. */
export const keyIsSentForMs = 22 * 3_600_000 + 31 * 60_000;

/** Watches the idempotency keys of `start`, capture, cancel and refund of each payment (lib/payment/README.md). */
export class Attempts {
  /** `<payment>/<verb>`: its keys, the latest last. */
  readonly #keys = new Map<string, Map<string, Calls>>();
  readonly #firstCalls = new Map<string, number>();
  readonly #tell: Tell;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** A handler makes a call. The next key follows a definite refusal, with no call under the last one unanswered. */
  begun(about: string, key: string): void {
    const keys = this.#keys.get(about) ?? new Map<string, Calls>();
    this.#keys.set(about, keys);
    const last = [...keys].at(-1);
    if (last && !keys.has(key) && !isRefused(last[1]))
      this.#tell(
        'idempotency key',
        `${about} was requested under ${key}, although a call under ${last[0]} may have been carried out`,
      );
    const calls = keys.get(key) ?? { begun: 0, refused: 0, busy: 0 };
    keys.set(key, { ...calls, begun: calls.begun + 1 });
  }

  answered(about: string, key: string, answer: Answer): void {
    const calls = this.#keys.get(about)?.get(key);
    if (!calls || answer === 'done') return;
    this.#keys.get(about)?.set(key, { ...calls, [answer]: calls[answer] + 1 });
  }

  /** A handler sends a call that may create something. No key is sent that the provider may have forgotten. */
  creates(key: string, at: number): void {
    const first = this.#firstCalls.get(key) ?? at;
    this.#firstCalls.set(key, first);
    if (at - first <= keyIsSentForMs) return;
    const minutes = Math.round((at - first) / 60_000);
    this.#tell('key life', `${key} was sent ${minutes} minutes after its first call`);
  }
}

const isRefused = ({ begun, refused, busy }: Calls): boolean => refused > 0 && begun === refused + busy;
