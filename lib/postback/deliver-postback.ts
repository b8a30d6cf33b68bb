import { isFinished } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import type { Opener } from '../merchant/ports.ts';
import { liveSecrets } from '../merchant/webhook-secret.ts';
import type { Payments } from '../payment/ports.ts';
import { outcomeOfAttempt } from './attempt-outcome.ts';
import { type Notify, updateEndpointHealth } from './endpoint-health.ts';
import { endpointIdOf, subjectOf } from './event.ts';
import type { ClaimedEvent, Endpoints, Events, MerchantPost, Outcome, PostbackQueue } from './ports.ts';
import { queueEvent } from './queue-event.ts';
import { findRecipient, type Recipient, type RecipientPorts } from './recipient.ts';
import { attemptAtOnce, type Chance } from './schedule.ts';
import { signedRequest } from './signed-request.ts';
import { skipOutcome } from './skip-outcome.ts';

export type DeliverPorts = RecipientPorts & {
  readonly events: Pick<Events, 'claim' | 'finish'>;
  readonly endpoints: Endpoints;
  readonly bills: Pick<Bills, 'find'>;
  readonly payments: Pick<Payments, 'postbackDelivered'>;
  readonly opener: Opener;
  readonly post: MerchantPost;
  readonly queue: PostbackQueue;
  readonly now: () => Date;
  readonly chance: Chance;
  readonly notify: Notify;
};

/** Longer than any attempt can take, so that no second worker takes an event while the first still works on it. */
const leaseMs = 60_000;

/**
 * One attempt to deliver an event, or the reason why none is made now. Many may ask for the same event: one gets it.
 * Whatever the merchant's server does is an outcome; what throws is our own trouble, and the lease brings it back.
 */
export async function deliverPostback(ports: DeliverPorts, eventId: string): Promise<void> {
  const now = ports.now();
  const event = await ports.events.claim(eventId, now, new Date(now.getTime() + leaseMs));
  if (!event) return;

  const [recipient, superseded] = await Promise.all([
    findRecipient(ports, event),
    isSuperseded(ports, event),
  ]);
  const skipped = await skipOutcome(ports, recipient, { event, superseded, now });
  const outcome = skipped ?? (await attempt(ports, event, recipient));

  // Told before it is written: a worker that dies in between tells it twice rather than never.
  if (outcome.state === 'DEAD')
    ports.notify({ alarm: 'postback_dead', endpointId: endpointIdOf(event), eventId: event.id });
  // First on the payment, which keeps it: the event is forgotten some time after it is DELIVERED.
  if (outcome.state === 'DELIVERED' && event.kind === 'payment')
    await ports.payments.postbackDelivered(subjectOf(event), outcome.attempt.at);
  await finish(ports, event, outcome);
}

async function finish(ports: DeliverPorts, event: ClaimedEvent, outcome: Outcome): Promise<void> {
  const finished = await ports.events.finish(event, outcome);
  if (finished === 'endpoint_resumed') {
    // The operator has resumed the endpoint since it was read: this event is sent at once, like those that waited.
    return finish(ports, event, {
      ...outcome,
      state: 'RETRY',
      nextAttempt: attemptAtOnce(ports.now()),
    });
  }
  if (outcome.nextAttempt?.delaySeconds !== undefined)
    await queueEvent(ports.queue, event, outcome.nextAttempt.delaySeconds);
}

/** A FAIL is not told once its bill was paid by another try: retries come out of order, and the last one heard wins. */
async function isSuperseded({ bills }: DeliverPorts, event: ClaimedEvent): Promise<boolean> {
  if (event.supersededByBill === undefined) return false;
  const bill = await bills.find(event.supersededByBill);
  return bill !== undefined && isFinished(bill);
}

async function attempt(ports: DeliverPorts, event: ClaimedEvent, recipient: Recipient): Promise<Outcome> {
  const at = ports.now();
  const { headers, body, signature, redactions } = await sign(ports, event, recipient, at);
  const answer = await ports.post.post({ url: recipient.url, headers, body });
  const now = ports.now();
  const paused = (await updateEndpointHealth(ports, recipient.health, answer, now)) === 'paused';
  return outcomeOfAttempt(event, { answer, at, now, signature, redactions, paused }, ports.chance);
}

async function sign({ opener }: DeliverPorts, event: ClaimedEvent, recipient: Recipient, at: Date) {
  const { token: sealedToken, webhook } = recipient;
  const live = liveSecrets(webhook.secrets, at);
  const [token, webhookSecrets] = await Promise.all([
    opener.open(sealedToken.sealed, sealedToken.context),
    Promise.all(live.map((sealed) => opener.open(sealed, webhook.context))),
  ]);
  return signedRequest(event, recipient.format, { token, webhookSecrets }, at);
}
