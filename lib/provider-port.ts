/** What the ports of acquirers and payout rails share. */

/** Most calls to the provider's API: at once in one process, and per second over all functions. */
export type CallLimits = { readonly atOnce: number; readonly perSecond: number };

/** The calls to each provider, counted for all functions together. */
export interface ProviderCalls {
  /** Counts one call of this second. Returns 0 when it may be sent now, otherwise for how many milliseconds it has to wait. */
  take(provider: string, call: { readonly perSecond: number; readonly now: Date }): Promise<number>;
  /** Stops the calls of all functions until then. A pause that lasts longer stays. */
  pause(provider: string, until: Date): Promise<void>;
}

/**
 * The call was certainly not carried out: the provider answered 429, or our own limiter did not send it. The same call, under
 * the same key, is sent again after `retryAfterMs`. It is not an unanswered call. Every other error leaves the outcome unknown.
 */
export class ProviderBusy extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super(`The provider takes no more calls for ${retryAfterMs} ms`);
    // For the log: bundling loses the class name.
    this.name = 'ProviderBusy';
    this.retryAfterMs = retryAfterMs;
  }
}

/** One movement of money as the provider booked it, for reconciliation. Amounts in minor units of `currency`. */
export type StatementLine = {
  readonly kind: 'payment' | 'refund' | 'payout';
  /** The provider's id of the payment, refund or payout. */
  readonly reference: string;
  /** Our id as the provider stored it; undefined when it stored none. */
  readonly ourId: string | undefined;
  /**
   * The provider's id of the payment that the line is about: of a refund, the refunded payment. So a refund that was made in the
   * provider's cabinet, which carries no id of ours, leads to its payment. Undefined for payouts.
   */
  readonly orderReference: string | undefined;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint | undefined;
  readonly currency: string;
  readonly at: Date;
};

/** An account at a provider, as its API describes it. A field is undefined where the provider does not tell. */
type KnownAccount = {
  readonly id: string;
  /** False for a test account, which moves no real money. */
  readonly live: boolean | undefined;
  readonly enabled: boolean | undefined;
  /** The payment methods or the types of payout accounts that it serves, by our names; a provider's own name for any other. */
  readonly methods: readonly string[] | undefined;
  /** Whether it takes fiscal receipts with payments, and then refuses payments without. */
  readonly receipts: boolean | undefined;
  /** In minor units. */
  readonly balances: readonly { readonly currency: string; readonly minor: bigint }[];
};
export type AccountView =
  | ({ readonly state: 'known' } & KnownAccount)
  /** No id has been stored. */
  | { readonly state: 'not_set' }
  /** The provider refuses the stored keys; `reason` is its answer. */
  | { readonly state: 'refused'; readonly id: string; readonly reason: string };

/** The account whose keys are stored. A call without an answer throws. */
export interface ProviderAccount {
  account(): Promise<AccountView>;
}
