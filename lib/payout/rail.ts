import type { BalanceCurrency } from '../money/money.ts';
import type { AccountType, Destination } from './destination.ts';

export type RailLimits = { readonly minMinor: bigint; readonly maxMinor: bigint };

/**
 * What the rail says of a payout.
 * `unknown`: it has never heard of it. `accepted`: it will answer later. `paid` and `refused` are for good.
 * `provider_empty`: our account there is empty, nothing was taken and the same key may be sent again.
 */
export type RailView = {
  readonly state: 'unknown' | 'accepted' | 'paid' | 'refused' | 'provider_empty';
  /** The rail's own name for the payout. */
  readonly reference?: string;
  /** The rail's word for a refusal; for the operator, never for the merchant. */
  readonly reason?: string;
};

/**
 * A provider that sends money out. Every call may throw: then nothing is known, and the payout is asked about
 * later under the same key. The idempotency key is the payout's id, written down before the first call.
 */
export interface PayoutRail {
  /** Kept with each payout that it is sent: a rail that is another party must have another name. */
  readonly name: string;
  /** What one transfer may carry; undefined when this rail does not reach such accounts. */
  limits(type: AccountType): RailLimits | undefined;
  /** The same key again moves no more money and answers with what became of the first call. */
  send(order: {
    readonly idempotencyKey: string;
    readonly amountMinor: bigint;
    readonly currency: BalanceCurrency;
    readonly destination: Destination;
  }): Promise<RailView>;
  get(idempotencyKey: string): Promise<RailView>;
  /** Ends a payout that was not sent on; a key never heard of is refused for ever after (a tombstone). */
  cancel(idempotencyKey: string): Promise<RailView>;
}
