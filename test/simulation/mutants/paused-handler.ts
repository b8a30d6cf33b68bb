import type { Invocation } from '../harness/invocation.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';

/** A handler that a scenario advances from call to call while other handlers run. */
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

  /** Runs until the handler is about to make a call of this name, or ends without one. */
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
