import type { BalanceCurrency } from '../money/money.ts';
import type { AccountType, Destination } from './destination.ts';

export type RailLimits = { readonly minMinor: bigint; readonly maxMinor: bigint };

/**
 * The state of a payout at the rail.
 * `unknown`: the rail does not know the key. `accepted`: the outcome follows. `paid` and `refused` are final.
 * `provider_empty`: the operator's account there is empty, nothing was taken, and the same key may be sent again.
 */
export type RailView = {
  readonly state: 'unknown' | 'accepted' | 'paid' | 'refused' | 'provider_empty';
  /** The rail's own id of the payout. */
  readonly reference?: string;
  /** The rail's reason for a refusal; for the operator, never for the merchant. */
  readonly reason?: string;
};

/**
 * A provider that sends money out. Any call may throw: the outcome is then unknown, and the payout is checked later
 * under the same key. The idempotency key is the payout's id, recorded before the first call.
 */
export interface PayoutRail {
  /** Stored with each payout sent to it: a rail operated by another provider must have another name. */
  readonly name: string;
  /** The limits of one transfer, in minor units; undefined when this rail does not reach such accounts. */
  limits(type: AccountType): RailLimits | undefined;
  /** A repeated key moves no money and returns the state of the first call. */
  send(order: {
    readonly idempotencyKey: string;
    readonly amountMinor: bigint;
    readonly currency: BalanceCurrency;
    readonly destination: Destination;
  }): Promise<RailView>;
  get(idempotencyKey: string): Promise<RailView>;
  /** Cancels a payout that the rail has not sent on yet. An unknown key is refused from then on (a tombstone). */
  cancel(idempotencyKey: string): Promise<RailView>;
}
