import { isFinished } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import { readPaymentId } from '../ids.ts';
import type { Opener } from '../merchant/ports.ts';
import { liveSecrets } from '../merchant/webhook-secret.ts';
import { outcomeOfAttempt } from './attempt-outcome.ts';
import { isSlow, slowUntil } from './breaker.ts';
import { type Notify, updateEndpointHealth } from './endpoint-health.ts';
import { endpointIdOf, subjectOf } from './event.ts';
import type {
  ClaimedEvent,
  DeliveredMarks,
  Endpoints,
  Events,
  MerchantPost,
  DeliveryOutcome,
  PostbackQueue,
} from './ports.ts';
import { queueEvent } from './queue-event.ts';
import { findRecipient, type Recipient, type RecipientPorts } from './recipient.ts';
import { attemptAtOnce, type Chance } from './schedule.ts';
import { signedRequest } from './signed-request.ts';
import { skipOutcome } from './skip-outcome.ts';

export type DeliverPorts = RecipientPorts & {
  readonly events: Pick<Events, 'claim' | 'finish' | 'release'>;
  readonly endpoints: Endpoints;
  readonly bills: Pick<Bills, 'find'>;
  readonly payments: DeliveredMarks;
  readonly opener: Opener;
  readonly post: MerchantPost;
  /** Of retries, and of first attempts to endpoints that are slow. */
  readonly retryQueue: PostbackQueue;
  readonly now: () => Date;
  readonly chance: Chance;
  readonly notify: Notify;
};

/**
 * First attempts have workers of their own. Whoever kept one of them waiting is sent to by the workers of retries: a
 * server that hangs holds up those and, for the moment until that is seen, a few of the others.
 */
export type Lane = 'first' | 'retries';

/** Longer than any attempt can take, so that no second worker takes an event while the first still works on it. */
const leaseMs = 60_000;

/**
 * One attempt to deliver an event, or the reason why none is made now. Many may ask for the same event: one gets it.
 * Whatever the merchant's server does is an outcome; what throws is our own trouble, and the lease brings it back.
 */
export async function deliverPostback(
  ports: DeliverPorts,
  eventId: string,
  lane: Lane = 'first',
): Promise<void> {
  const now = ports.now();
  const event = await ports.events.claim(eventId, now, new Date(now.getTime() + leaseMs));
  if (!event) return;

  const [recipient, superseded] = await Promise.all([
    findRecipient(ports, event),
    isSuperseded(ports, event),
  ]);
  if (lane === 'first' && isSlow(recipient.health, now)) return handOver(ports, event);
  const skipped = await skipOutcome(ports, recipient, { event, superseded, now });
  const outcome = skipped ?? (await attempt(ports, event, recipient));

  // Told before it is written: a worker that dies in between tells it twice rather than never.
  if (outcome.state === 'DEAD')
    ports.notify({ kind: 'postback_dead', endpointId: endpointIdOf(event), eventId: event.id });
  // First on the payment, which keeps it: the event is forgotten some time after it is DELIVERED.
  const paymentId = event.kind === 'payment' ? readPaymentId(subjectOf(event)) : undefined;
  if (paymentId !== undefined && outcome.state === 'DELIVERED')
    await ports.payments.postbackDelivered(paymentId, outcome.attempt.at);
  await finish(ports, event, outcome);
}

/** The message goes last: one that came before the event was given back would find it leased. */
async function handOver(ports: DeliverPorts, event: ClaimedEvent): Promise<void> {
  if ((await ports.events.release(event)) === 'released') await queueEvent(ports.retryQueue, event);
}

async function finish(ports: DeliverPorts, event: ClaimedEvent, outcome: DeliveryOutcome): Promise<void> {
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
    await queueEvent(ports.retryQueue, event, outcome.nextAttempt.delaySeconds);
}

/** A FAIL is not told once its bill was paid by another try: retries come out of order, and the last one heard wins. */
async function isSuperseded({ bills }: DeliverPorts, event: ClaimedEvent): Promise<boolean> {
  if (event.supersededByBill === undefined) return false;
  const bill = await bills.find(event.supersededByBill);
  return bill !== undefined && isFinished(bill);
}

async function attempt(
  ports: DeliverPorts,
  event: ClaimedEvent,
  recipient: Recipient,
): Promise<DeliveryOutcome> {
  const at = ports.now();
  const { headers, body, signature, redactions } = await sign(ports, event, recipient, at);
  let marked: Promise<void> | undefined;
  const onSlow = () => {
    marked = markSlow(ports, recipient);
  };
  const answer = await ports.post.post({ url: recipient.url, headers, body, onSlow });
  await marked;
  // One slow answer is no hanging: only who did not answer last time is left to the workers of retries.
  if (answer.kind === 'answered' && (marked || recipient.health.slowUntil))
    await ports.endpoints.answered(recipient.health.id);
  const now = ports.now();
  const paused = (await updateEndpointHealth(ports, recipient.health, answer, now)) === 'paused';
  return outcomeOfAttempt(event, { answer, at, now, signature, redactions, paused }, ports.chance);
}

/** While the attempt still waits: other workers are to know before it is over. Unwritten it costs the others time only. */
const markSlow = ({ endpoints, now }: DeliverPorts, { health }: Recipient): Promise<void> =>
  endpoints.slow(health.id, slowUntil(now())).catch(() => undefined);

async function sign({ opener }: DeliverPorts, event: ClaimedEvent, recipient: Recipient, at: Date) {
  const { token: sealedToken, webhook } = recipient;
  const live = liveSecrets(webhook.secrets, at);
  const [token, webhookSecrets] = await Promise.all([
    opener.open(sealedToken.sealed, sealedToken.context),
    Promise.all(live.map((sealed) => opener.open(sealed, webhook.context))),
  ]);
  return signedRequest(event, recipient.format, { token, webhookSecrets }, at);
}
