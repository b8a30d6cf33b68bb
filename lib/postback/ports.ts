import type { Attempt, EventState, PostbackEvent } from './event.ts';

/** How an endpoint (a shop's Result URL, a merchant's payout webhook) has been answering. */
export type EndpointHealth = {
  readonly id: string;
  readonly failuresInARow: number;
  readonly failingSince?: Date | undefined;
  readonly openUntil?: Date | undefined;
  readonly probeLeaseUntil?: Date | undefined;
  readonly paused: boolean;
};

export interface Events {
  find(id: string): Promise<PostbackEvent | undefined>;
  /** Takes the event for one attempt; undefined when somebody else has it or it needs no more. */
  claim(id: string, now: Date, leaseUntil: Date): Promise<PostbackEvent | undefined>;
  /** Writes what became of the claimed attempt and gives the event back. */
  finish(
    id: string,
    outcome: {
      readonly state: EventState;
      readonly attempt: Attempt;
      readonly counts: boolean;
      readonly nextAt?: Date | undefined;
    },
  ): Promise<void>;
  /** Undelivered events that are due, to be queued (again). */
  due(now: Date): Promise<readonly string[]>;
  postpone(id: string, seen: Date, until: Date): Promise<void>;
  /** Makes a DEAD, PAUSED or DELIVERED event due now; it keeps its id. */
  replay(id: string, now: Date): Promise<PostbackEvent | undefined>;
  listUndelivered(): Promise<readonly PostbackEvent[]>;
}

export interface Endpoints {
  find(id: string): Promise<EndpointHealth | undefined>;
  failed(id: string, now: Date): Promise<EndpointHealth>;
  open(id: string, until: Date): Promise<void>;
  /** One probe at a time while the breaker is open. */
  takeProbe(id: string, now: Date, leaseUntil: Date): Promise<boolean>;
  healthy(id: string): Promise<void>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
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
      readonly retryAfterSeconds?: number | undefined;
      readonly body: string;
    }
  | { readonly kind: 'unreachable'; readonly why: 'timeout' | 'connection' | 'refused_address' | 'bad_url' };

/** POSTs to a URL that a stranger chose: only to addresses that are public, within one total deadline. */
export interface MerchantPost {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }): Promise<PostAnswer>;
}
