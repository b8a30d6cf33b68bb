import type { Notifier } from '../notifications.ts';
import type { World } from '../world.ts';

export type ControlCall = {
  readonly world: World;
  readonly notifier: Notifier;
  /** The part of the path that the route captures; empty where it captures none. */
  readonly id: string;
  /** The parsed JSON; an empty object without a body. */
  readonly body: unknown;
};

export type ControlRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: RegExp;
  /** Returns the JSON of the answer. */
  readonly run: (call: ControlCall) => unknown;
};

/** A control request that cannot be carried out. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
