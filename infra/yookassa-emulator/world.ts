import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { ApiObject, SettingsRecord } from './records.ts';
import type { State } from './state.ts';

export type NotificationEvent =
  | 'payment.waiting_for_capture'
  | 'payment.succeeded'
  | 'payment.canceled'
  | 'refund.succeeded'
  | 'payout.succeeded'
  | 'payout.canceled';

/** A change that the vendor notifies about. */
export type Change = { readonly event: NotificationEvent; readonly object: ApiObject };

/** Called for each change. If it returns a promise, the answer to the call that caused the change waits for it. */
export type Subscriber = (change: Change) => Promise<void> | undefined;

/** Everything that the parts of the emulator share. */
export type World = {
  readonly clock: Clock;
  readonly state: State;
  readonly faults: Faults;
  /** Where the hosted pages are served, without a trailing slash. */
  readonly pagesUrl: string;
  readonly bankUrl: string;
  readonly subscribers: Set<Subscriber>;
  /** Notifications that are sent early: answers wait for them. */
  readonly early: Set<Promise<void>>;
};

export function settingsOf({ state }: World): SettingsRecord {
  const { settings } = state;
  if (!settings) throw new Error('The emulator has no settings.');
  return settings;
}

export function changeSettings(world: World, change: Partial<Omit<SettingsRecord, 'kind'>>): void {
  world.state.save({ ...settingsOf(world), ...change });
}

/** Moves the clock forward, also for a later start over the same folder. `runDue` carries out what is due then. */
export function advanceClock(world: World, milliseconds: number): void {
  world.clock.advance(milliseconds);
  changeSettings(world, { clockOffsetMs: world.clock.offset() });
}

/** Stores an object and tells the subscribers. */
export function saveAndNotify(world: World, object: ApiObject, event: NotificationEvent): void {
  world.state.save(object);
  for (const subscriber of world.subscribers) {
    const early = subscriber({ event, object });
    if (!early) continue;
    const waiting: Promise<void> = early.finally(() => world.early.delete(waiting));
    world.early.add(waiting);
  }
}
