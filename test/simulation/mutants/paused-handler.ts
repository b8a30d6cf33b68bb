import type { Invocation } from '../harness/invocation.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';

/** A handler that a scenario leads from one of its calls to another, while others do what they do. */
export class PausedHandler {
  readonly #world: World;
  readonly #ran: Promise<unknown>;
  #by: Invocation | undefined;
  #isOver = false;

  constructor(world: World, handle: (ports: Ports) => Promise<unknown>) {
    this.#world = world;
    this.#ran = world
      .invoke('paused', (ports, by) => {
        this.#by = by;
        by.isPatient = true;
        by.pausedAt = /./;
        return handle(ports);
      })
      .finally(() => (this.#isOver = true));
  }

  /** It stands before a call of this name, or is over without one. */
  async goTo(call: RegExp): Promise<void> {
    const { scheduler } = this.#world;
    await scheduler.settle();
    if (this.#by) this.#by.pausedAt = call;
    while (!this.#isOver && !(this.#by && scheduler.isPaused(this.#by))) await scheduler.turn();
  }

  async end(): Promise<void> {
    if (this.#by) this.#by.pausedAt = undefined;
    await this.#world.pump(this.#ran);
  }
}
