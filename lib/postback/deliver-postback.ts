import { isFinished } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import { readPaymentId } from '../ids.ts';
import type { Opener } from '../merchant/ports.ts';
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
import { openKeys } from './open-keys.ts';
import { type PayerPorts, payerFields } from './payer-fields.ts';
import { queueEvent } from './queue-event.ts';
import { withPhone } from './sealed-phone.ts';
import { findRecipient, type Recipient, type RecipientPorts } from './recipient.ts';
import { attemptAtOnce, type Chance } from './schedule.ts';
import { signedRequest } from './signed-request.ts';
import { skipOutcome } from './skip-outcome.ts';

export type DeliverPorts = RecipientPorts &
  PayerPorts & {
    readonly events: Pick<Events, 'find' | 'claim' | 'finish' | 'release'>;
    readonly endpoints: Endpoints;
    readonly bills: Pick<Bills, 'find'>;
    readonly payments: DeliveredMarks;
    readonly opener: Opener;
    /** Opens the phones of payout postbacks. */
    readonly phoneOpener: Opener;
    readonly post: MerchantPost;
    /** For retries, and for first attempts to slow endpoints. */
    readonly retryQueue: PostbackQueue;
    readonly now: () => Date;
    readonly chance: Chance;
    readonly notify: Notify;
  };

/**
 * First attempts have workers of their own. Once an endpoint is marked slow, the retry workers take over its first
 * attempts: an endpoint that times out then occupies only those, and a few of the others until it is marked.
 */
export type Lane = 'first' | 'retries';

/** Longer than any attempt, so that no second worker can claim an event while the first is processing it. */
const leaseMs = 60_000;

/**
 * Makes one attempt to deliver an event, or records why none is made. Of concurrent calls for an event, one claims it.
 * Any behaviour of the merchant's server is an outcome. An internal error is thrown; the event is retried once its
 * lease has expired.
 */
export async function deliverPostback(
  ports: DeliverPorts,
  eventId: string,
  lane: Lane = 'first',
): Promise<void> {
  const now = ports.now();
  const event = await ports.events.claim(eventId, now, new Date(now.getTime() + leaseMs));
  if (!event) return;

  const [recipient, superseded, awaited] = await Promise.all([
    findRecipient(ports, event),
    isSuperseded(ports, event),
    event.sentAfter === undefined ? undefined : ports.events.find(event.sentAfter),
  ]);
  if (lane === 'first' && isSlow(recipient.health, now)) return handOver(ports, event);
  const skipped = await skipOutcome(ports, recipient, { event, superseded, awaited, now });
  const outcome = skipped ?? (await attempt(ports, event, recipient));

  // Before the write: a worker that dies in between reports twice rather than never.
  if (outcome.state === 'DEAD')
    ports.notify({ kind: 'postback_dead', endpointId: endpointIdOf(event), eventId: event.id });
  // The payment first, which stores it permanently: the event expires some time after it is DELIVERED.
  const paymentId = event.kind === 'payment' ? readPaymentId(subjectOf(event)) : undefined;
  if (paymentId !== undefined && outcome.state === 'DELIVERED')
    await ports.payments.postbackDelivered(paymentId, outcome.attempt.at);
  await finish(ports, event, outcome);
}

/** The message is sent last: if it were received before the release, the event would still be leased. */
async function handOver(ports: DeliverPorts, event: ClaimedEvent): Promise<void> {
  if ((await ports.events.release(event)) === 'released') await queueEvent(ports.retryQueue, event);
}

async function finish(ports: DeliverPorts, event: ClaimedEvent, outcome: DeliveryOutcome): Promise<void> {
  const finished = await ports.events.finish(event, outcome);
  if (finished === 'endpoint_resumed') {
    // The operator resumed the endpoint after it was read: send this event at once, like those that waited.
    return finish(ports, event, {
      ...outcome,
      state: 'RETRY',
      nextAttempt: attemptAtOnce(ports.now()),
    });
  }
  if (outcome.nextAttempt?.delaySeconds !== undefined)
    await queueEvent(ports.retryQueue, event, outcome.nextAttempt.delaySeconds);
}

/** A FAIL is not sent once its bill was paid by another payment: postbacks arrive out of order, and the last one wins. */
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
  // A response resets the count of slow attempts: only consecutive ones without a response mark the endpoint.
  if (answer.kind === 'answered' && (marked || recipient.health.slowUntil))
    await ports.endpoints.answered(recipient.health.id);
  const now = ports.now();
  const paused = (await updateEndpointHealth(ports, recipient.health, answer, now)) === 'paused';
  return outcomeOfAttempt(event, { answer, at, now, signature, redactions, paused }, ports.chance);
}

/** Called during the attempt, so that other workers know before it ends. A failed write only costs them time. */
const markSlow = ({ endpoints, now }: DeliverPorts, { health }: Recipient): Promise<void> =>
  endpoints.slow(health.id, slowUntil(now())).catch(() => undefined);

async function sign(ports: DeliverPorts, event: ClaimedEvent, recipient: Recipient, at: Date) {
  const [sent, payer, keys] = await Promise.all([
    withPhone(ports.phoneOpener, event),
    payerFields(ports, event),
    openKeys(ports.opener, recipient, at),
  ]);
  return signedRequest({ ...sent, payer }, recipient.format, keys, at);
}
