import type { DeliverPorts } from '../postback/deliver-postback.ts';
import { merchantPost } from './merchant-post.ts';
import { retryQueue } from './queues.ts';
import { tokenOpener } from './sealing.ts';
import { bills, endpoints, events, merchants, payments, shops } from './store.ts';
import { system } from './system.ts';

/** What the postback worker works with. */
export const deliverPorts = (): DeliverPorts => ({
  now: system.now,
  chance: system.chance,
  events: events(),
  endpoints: endpoints(),
  merchants: merchants(),
  shops: shops(),
  bills: bills(),
  payments: payments(),
  opener: tokenOpener(),
  post: merchantPost(),
  retryQueue: retryQueue(),
  notify: ({ alarm, endpointId, ...about }) =>
    system.alarm(alarm, {
      endpoint: endpointId,
      ...('why' in about ? { why: about.why } : { postback: about.eventId }),
    }),
});
