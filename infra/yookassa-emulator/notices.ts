import { present } from './api/present.ts';
import type { Notifier } from './notifications.ts';
import type { Subscriber, World } from './world.ts';

/** Sends a notification of each change, in the manner of its object. An early one holds back the answer of the call. */
export const notices =
  (world: World, notifier: Notifier): Subscriber =>
  ({ event, object }) => {
    const manner = object.manner?.kind === 'notices' ? object.manner.how : undefined;
    const sent = notifier.changed(event, present(world, object), manner);
    return manner === 'early' ? sent : undefined;
  };
