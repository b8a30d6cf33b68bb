import type { GroupId, MerchantId, PayoutId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import type { StatementLine } from '../provider-port.ts';
import type { AccountType, Destination } from './destination.ts';
import type { RailBank } from './sbp-banks.ts';

export type RailLimits = { readonly minMinor: bigint; readonly maxMinor: bigint };

/** A transfer as it was, or may have been, sent to the rail. The times are those of `send` under this key. */
export type Transfer = {
  /** Our id, which the rail stores with the transfer. A search at the rail finds all attempts of a payout by it. */
  readonly payoutId: PayoutId;
  /**
   * The idempotency key: `<payout>.<attempt>`, 1 to 64 characters from `0-9a-zA-Z._-`. Payouts of earlier versions have
   * their id as the key.
   */
  readonly key: string;
  /** Starts at 1. */
  readonly attempt: number;
  /** The rail's own id of this attempt, as soon as it is known. */
  readonly reference: string | undefined;
  readonly firstCallAt: Date;
  readonly lastCallAt: Date;
  /** What the recipient gets. */
  readonly amountMinor: bigint;
  readonly currency: BalanceCurrency;
  readonly about: {
    readonly merchantId: MerchantId;
    readonly groupId: GroupId;
    readonly orderId: string | undefined;
  };
};

/** A transfer with its destination, which is decrypted for sending alone. */
export type NewTransfer = Transfer & { readonly destination: Destination };

/** The states of a transfer at the rail. */
export const railStates = [
  /** The rail knows no such transfer. On a rail without tombstones this decides nothing: a search may lag, a call may be in flight. */
  'unknown',
  /** The rail has the transfer; its outcome follows. */
  'accepted',
  'paid',
  /**
   * Final: nothing is paid. With a reference: the rail's object is cancelled. Without one: the call created nothing and a
   * repetition would not either, which says nothing about an earlier call under the same key that was never answered.
   */
  'refused',
  /**
   * The operator's account there was empty, and nothing moved. With tombstones the same key may be sent again. Otherwise the
   * object with this reference is cancelled for good, and the next attempt has a new key.
   */
  'provider_empty',
  /** The call created nothing for a reason that concerns us, not the recipient: refused credentials, a missing right. */
  'not_taken',
] as const;

export type RailView = {
  readonly state: (typeof railStates)[number];
  /** The rail's own id of the transfer. Without it nothing was created, or the rail reports transfers by our key alone. */
  readonly reference?: string;
  /** The rail's reason or error code; for the operator, never for the merchant. */
  readonly reason?: string;
};

/**
 * A provider that sends money out, and what the protocol (README.md of this folder) relies on. Every adapter passes the
 * conformance suite (test/conformance).
 *
 * - Every call may throw: the outcome is then unknown, except for `ProviderBusy`, which was not carried out. HTTP 500, no
 *   answer and an unreadable answer throw an error; 429 throws `ProviderBusy`.
 * - The rail keeps a key for 24 hours at least: the same key and transfer return the state of the first call and move no more
 *   money. After that the same key may pay a second time. So a call whose answer was lost is repeated under its key until 22
 *   hours after the first, and never after.
 * - A reference names one transfer for ever. A paid or cancelled transfer may still change later: the service raises an alarm.
 */
export interface PayoutRail {
  /** Stored with each payout sent to it: a rail operated by another provider must have another name. */
  readonly name: string;
  /**
   * Whether the rail keeps keys for ever, is read by key without a delay, and `cancel` makes it refuse an unknown key from then
   * on (a tombstone). Only on such a rail can an unknown payout fail.
   */
  readonly tombstones: boolean;
  /** The limits of one transfer, in minor units; undefined when this rail does not reach such accounts. Known without a call. */
  limits(type: AccountType): RailLimits | undefined;
  send(transfer: NewTransfer): Promise<RailView>;
  /**
   * Reads the transfer: by its reference, or else by our id in the rail's search. Of several attempts found, one that is paid
   * or accepted counts before this one.
   */
  get(transfer: Transfer): Promise<RailView>;
  /**
   * Cancels a transfer that the rail has not sent on yet; an unknown key is refused from then on. Called with tombstones only;
   * other rails throw a `Defect`.
   */
  cancel(transfer: Transfer): Promise<RailView>;
  /** The SBP banks that the rail pays to, read from the provider. Undefined when it has no such list. */
  readonly banks: (() => Promise<readonly RailBank[]>) | undefined;
  /** Transfers paid in [from, to), for reconciliation. */
  statement(period: { readonly from: Date; readonly to: Date }): Promise<readonly StatementLine[]>;
}

/** The rails of this installation. A payout belongs to the rail that it was sent to for ever. */
export interface Rails {
  /** The rail for a payout that was never sent; undefined when none reaches such accounts. */
  forNew(type: AccountType): PayoutRail | undefined;
  /** The rail of a payout that was sent; undefined when its adapter or its credentials are not deployed. */
  named(name: string): PayoutRail | undefined;
}

/** What payout creation needs of the rails: no secret and no call. */
export type RailLimitsOf = {
  forNew(type: AccountType): Pick<PayoutRail, 'limits'> | undefined;
};
