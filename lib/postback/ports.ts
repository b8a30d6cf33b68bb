import type { PaymentId } from '../ids.ts';
import type { Attempt, EndpointId, EventState, PostbackEvent } from './event.ts';
import type { NextAttempt } from './schedule.ts';

/** The delivery health of an endpoint (a shop's Result URL, its refund URL, or a merchant's payout webhook). */
export type EndpointHealth = {
  readonly id: EndpointId;
  readonly failuresInARow: number;
  /** The first failure since the last delivery, and the number of failed tries since then. */
  readonly failingSince: Date | undefined;
  readonly failedTries: number;
  readonly openUntil: Date | undefined;
  /** How often the breaker has opened since the last timely response. */
  readonly openings: number;
  /** While the breaker is not closed: the earliest time of the next probe. */
  readonly nextProbeAt: Date | undefined;
  readonly paused: boolean;
  /** Until then, if enough attempts were slow (`waits`), the retry workers send its first attempts. */
  readonly slowUntil: Date | undefined;
  /** The number of slow attempts since its last response. */
  readonly waits: number;
};

/** An event leased by one worker; the lease distinguishes that worker from a later one. */
export type ClaimedEvent = PostbackEvent & { readonly leaseUntil: Date };

/** The outcome for a claimed event. */
export type DeliveryOutcome = {
  readonly state: EventState;
  readonly attempt: Attempt;
  /** Whether the attempt counts as a step of the schedule. */
  readonly counts: boolean;
  /** RETRY only: the time of the next attempt. */
  readonly nextAttempt: NextAttempt | undefined;
};

export type DueEvent = {
  readonly id: string;
  readonly endpointId: EndpointId;
  /** No attempt was made or skipped yet: its first message may still be in the queue. */
  readonly first: boolean;
  readonly due: Date;
};

export interface Events {
  find(id: string): Promise<PostbackEvent | undefined>;
  /** Those of these events that exist, in no particular order. */
  findAll(ids: readonly string[]): Promise<readonly PostbackEvent[]>;
  /**
   * Leases the event for one attempt; undefined when another worker has leased it, it is not due or it is finished.
   * Throws when the event does not exist.
   */
  claim(id: string, now: Date, leaseUntil: Date): Promise<ClaimedEvent | undefined>;
  /**
   * Records the outcome of the claimed attempt and releases the lease; writes nothing when the lease was lost. An event
   * becomes PAUSED only while its endpoint is, in one transaction: otherwise nothing would send it again.
   */
  finish(
    event: ClaimedEvent,
    outcome: DeliveryOutcome,
  ): Promise<'finished' | 'lease_lost' | 'endpoint_resumed'>;
  /** Releases a claimed event without an attempt, for another worker; writes nothing when the lease was lost. */
  release(event: ClaimedEvent): Promise<'released' | 'lease_lost'>;
  /** Undelivered events that are due, to be queued (again). Eventually consistent. */
  due(now: Date): Promise<readonly DueEvent[]>;
  /** Hides an event from the sweeper until then, unless it changed since it was read as due. */
  postpone(id: string, seen: Date, until: Date): Promise<void>;
  /** Makes an unleased event due now, from the first step of the schedule, under the same id. */
  replay(id: string, now: Date): Promise<PostbackEvent | undefined>;
  /** All events that are neither delivered nor superseded: still being tried, PAUSED or DEAD. */
  listUndelivered(): Promise<readonly PostbackEvent[]>;
}

export interface Endpoints {
  find(id: EndpointId): Promise<EndpointHealth | undefined>;
  /** Records a failed attempt that counts for the breaker. */
  failed(id: EndpointId, now: Date): Promise<EndpointHealth>;
  /** Records a timely response that is not 2xx: the breaker closes, the days of failure continue. */
  refused(id: EndpointId, now: Date): Promise<EndpointHealth>;
  /** Opens the breaker, unless another worker has done so since `health` was read. */
  open(health: EndpointHealth, opening: { readonly until: Date; readonly nextProbeAt: Date }): Promise<void>;
  /** While the breaker is not closed, permits one of many workers to probe, and none before `nextProbeAt`. */
  takeProbe(id: EndpointId, now: Date, nextProbeAt: Date): Promise<boolean>;
  /** `slow` counts an attempt that keeps a worker waiting; `answered` resets the count after a response. */
  slow(id: EndpointId, until: Date): Promise<void>;
  answered(id: EndpointId): Promise<void>;
  healthy(id: EndpointId): Promise<void>;
  pause(id: EndpointId): Promise<void>;
  resume(id: EndpointId): Promise<void>;
  /** Counts a postback that the merchant asked for; false, without a change, when it asked for `most` in this minute already. */
  countAsked(id: EndpointId, now: Date, most: number): Promise<boolean>;
}

/** Records the delivery on the payment, as the event itself expires some time after it was delivered. */
export interface DeliveredMarks {
  postbackDelivered(paymentId: PaymentId, at: Date): Promise<void>;
}

/** The queue behind the postback worker. It carries ids, never secrets; a lost message costs only time. */
export interface PostbackQueue {
  send(eventId: string, options: { readonly group: string; readonly delaySeconds?: number }): Promise<void>;
  /** The approximate number of messages waiting. */
  length(): Promise<number>;
}

export type PostAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterSeconds: number | undefined;
      readonly body: string;
    }
  | {
      readonly kind: 'unreachable';
      readonly why:
        | 'timeout'
        | 'name_not_found'
        | 'connection_refused'
        | 'no_route'
        | 'connection_closed'
        | 'tls_failed'
        | 'bad_certificate'
        | 'not_http'
        /** Not called: its name resolves to a non-public address, or the URL is not allowed. */
        | 'refused_address'
        | 'bad_url';
    };

/** POSTs to an untrusted URL: only to public addresses, within one total deadline. */
export interface MerchantPost {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Called once, when there was no response for a second. */
    readonly onSlow?: () => void;
  }): Promise<PostAnswer>;
}
