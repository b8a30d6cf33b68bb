import type { PaymentId } from '../ids.ts';
import type { Attempt, EndpointId, EventState, PostbackEvent } from './event.ts';
import type { NextAttempt } from './schedule.ts';

/** How an endpoint (a shop's Result URL, a merchant's payout webhook) has been answering. */
export type EndpointHealth = {
  readonly id: EndpointId;
  readonly failuresInARow: number;
  /** The first failure since the endpoint last took a postback, and how many tries have failed since. */
  readonly failingSince: Date | undefined;
  readonly failedTries: number;
  readonly openUntil: Date | undefined;
  /** How often the breaker opened since the endpoint last answered. */
  readonly openings: number;
  /** While the breaker is not closed: when the next probe may be made. */
  readonly nextProbeAt: Date | undefined;
  readonly paused: boolean;
  /** Until then its postbacks leave the workers of first attempts to others: it kept one of them waiting. */
  readonly slowUntil: Date | undefined;
  /** How many attempts have kept a worker waiting since it last answered. */
  readonly waits: number;
};

/** An event that one worker has leased; the lease tells that worker from one that came after. */
export type ClaimedEvent = PostbackEvent & { readonly leaseUntil: Date };

/** What became of a claimed event. */
export type DeliveryOutcome = {
  readonly state: EventState;
  readonly attempt: Attempt;
  /** Whether the attempt takes one step of the schedule. */
  readonly counts: boolean;
  /** RETRY only: when it is tried again. */
  readonly nextAttempt: NextAttempt | undefined;
};

export type DueEvent = {
  readonly id: string;
  readonly endpointId: EndpointId;
  /** No attempt was made or skipped yet: its first message may still wait in the queue. */
  readonly first: boolean;
  readonly due: Date;
};

export interface Events {
  find(id: string): Promise<PostbackEvent | undefined>;
  /** Takes the event for one attempt; undefined when another worker has leased it, it is not due or it needs no more. Throws when there is none. */
  claim(id: string, now: Date, leaseUntil: Date): Promise<ClaimedEvent | undefined>;
  /**
   * Writes what became of the claimed attempt and gives the event back; nothing when the lease went to another. An event
   * becomes PAUSED only while its endpoint is, in one transaction: else nobody would send it again.
   */
  finish(
    event: ClaimedEvent,
    outcome: DeliveryOutcome,
  ): Promise<'finished' | 'lease_lost' | 'endpoint_resumed'>;
  /** Gives a claimed event back untried, for another worker; nothing when the lease went to another. */
  release(event: ClaimedEvent): Promise<'released' | 'lease_lost'>;
  /** Undelivered events that are due, to be queued (again). */
  due(now: Date): Promise<readonly DueEvent[]>;
  /** Keeps the sweeper from an event until then, unless it moved since it was seen due. */
  postpone(id: string, seen: Date, until: Date): Promise<void>;
  /** Makes an event that is not leased due now, from the first step of the schedule; it keeps its id. */
  replay(id: string, now: Date): Promise<PostbackEvent | undefined>;
  /** Everything that is not delivered and not superseded: still being tried, PAUSED or DEAD. */
  listUndelivered(): Promise<readonly PostbackEvent[]>;
}

export interface Endpoints {
  find(id: EndpointId): Promise<EndpointHealth | undefined>;
  /** It cost a worker time and did not deliver. */
  failed(id: EndpointId, now: Date): Promise<EndpointHealth>;
  /** It answered in time, but would not have it: the breaker closes, the days of failure go on. */
  refused(id: EndpointId, now: Date): Promise<EndpointHealth>;
  /** Opens the breaker once more, unless another worker did since `health` was read. */
  open(health: EndpointHealth, opening: { readonly until: Date; readonly nextProbeAt: Date }): Promise<void>;
  /** Of many workers one may probe a breaker that is not closed, and nobody before `nextProbeAt`. */
  takeProbe(id: EndpointId, now: Date, nextProbeAt: Date): Promise<boolean>;
  /** It keeps a worker waiting; and it has answered since. */
  slow(id: EndpointId, until: Date): Promise<void>;
  answered(id: EndpointId): Promise<void>;
  healthy(id: EndpointId): Promise<void>;
  pause(id: EndpointId): Promise<void>;
  resume(id: EndpointId): Promise<void>;
}

/** Marks the payment that a postback was about: the event itself is deleted some time after it was delivered. */
export interface DeliveredMarks {
  postbackDelivered(paymentId: PaymentId, at: Date): Promise<void>;
}

/** The queue behind the postback worker. It carries ids, never secrets; a lost message costs only time. */
export interface PostbackQueue {
  send(eventId: string, options: { readonly group: string; readonly delaySeconds?: number }): Promise<void>;
  /** Messages waiting, as the queue estimates it. */
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
        /** We would not call it: its name leads inside, or the URL is none that may be called. */
        | 'refused_address'
        | 'bad_url';
    };

/** POSTs to a URL that a stranger chose: only to addresses that are public, within one total deadline. */
export interface MerchantPost {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Called once, when no answer has come for a second. */
    readonly onSlow?: () => void;
  }): Promise<PostAnswer>;
}
