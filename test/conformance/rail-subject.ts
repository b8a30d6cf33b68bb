import type { NewTransfer, PayoutRail } from '../../lib/payout/payout-rail.ts';

/** What becomes of a transfer at its rail. */
export const transferFates = [
  'paid',
  'paid_later',
  'refused',
  'refused_later',
  /** Our account there is empty, at once or when the transfer is due; the next attempt finds it filled. */
  'account_empty',
  'account_empty_later',
  /** The first request is answered with a definite refusal, and makes no transfer. */
  'rejected',
  'forbidden',
  'busy',
  /** The first request is answered 500, without or with its effect. */
  'fails_before',
  'fails_after',
] as const;
export type TransferFate = (typeof transferFates)[number];

/** What is known of a rail before it is called; it decides which sentences of the suite apply. */
export type RailPromises = {
  /** Whether the rail is the test's own: its time can be moved, and nobody else uses it. Otherwise a pause is a short wait. */
  readonly isOwn: boolean;
  readonly tombstones: boolean;
  /** A new transfer is found by our id after this time. */
  readonly searchLagSeconds: number;
  /** The fates that the subject can cause, among them `paid`. */
  readonly fates: readonly TransferFate[];
  /** Whether an ended transfer can change to its opposite. */
  readonly changes: boolean;
};

/** An adapter with its rail, both new for each test, and ways to act from outside. Its clock stands still unless moved. */
export type RailSubject = {
  readonly rail: PayoutRail;
  readonly now: () => Date;
  readonly pass: (minutes: number) => void | Promise<void>;
  /** Prepares this fate and returns the transfer that meets it, perhaps with another destination. */
  readonly meets: (transfer: NewTransfer, fate: TransferFate) => NewTransfer | Promise<NewTransfer>;
  /** The next call of the adapter never reaches the rail, or its answer never comes back. */
  readonly loseNext: (what: 'call' | 'answer') => void;
  /** The rail changes an ended transfer to this state. */
  readonly change: (reference: string, to: 'paid' | 'refused') => Promise<void>;
  /** The rail's own books: the amounts of the transfers that it paid for a payout of ours. In minor units. */
  readonly paidOut: (payoutId: string) => Promise<readonly bigint[]>;
  readonly stop: () => Promise<void>;
};
