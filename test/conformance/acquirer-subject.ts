import type { Acquirer, PaymentMethod, Started } from '../../lib/payment/acquirer.ts';

/** What a payer does on the page of an order. The last three pay, and say what becomes of the first refund. */
export const payersActs = [
  'pays',
  'pays_part',
  'is_declined',
  'gives_up',
  'pays_refund_pending',
  'pays_refund_rejected',
  'pays_account_empty',
] as const;
export type PayersAct = (typeof payersActs)[number];

/** What a provider does to an order without us. */
export type Change = 'taken_back' | 'capture_changed' | 'captured_late';

/** What is known of a provider before it is called; it decides which sentences of the suite apply. */
export type Promises = {
  /** Whether the provider is the test's own: its time can be moved, and nobody else uses it. Otherwise a pause is a short wait. */
  readonly isOwn: boolean;
  readonly methods: Acquirer['methods'];
  /** A new order is in the list after this time. */
  readonly listLagSeconds: number;
  /** What the payer can do with each method, among others that the suite does not need. */
  readonly acts: Readonly<Record<PaymentMethod, readonly PayersAct[]>>;
  readonly changes: readonly Change[];
  /** Whether a payment is followed by a notification. */
  readonly notifies: boolean;
  /** How long after the capture a method that reports the fee tells it. */
  readonly feeAfterMinutes: number;
  /** Where the statement has a refund that was under way: at its end, or at its creation, which may be on the day before. */
  readonly refundsAt: 'end' | 'creation';
};

export type Opened = Extract<Started, { readonly kind: 'opened' }> & { readonly method: PaymentMethod };

/** The provider's own books for one payment of ours, over all its orders. In minor units. */
type PaymentBooks = {
  readonly orders: number;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  /** What the provider keeps of what was captured. */
  readonly feeMinor: bigint;
};

export type Notification = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** An adapter with its provider, both new for each test, and ways to act from outside. Its clock stands still unless moved. */
export type AcquirerSubject = {
  readonly acquirer: Acquirer;
  readonly now: () => Date;
  readonly pass: (minutes: number) => void | Promise<void>;
  /** The payer opens the page and acts. On a page that takes no payment any more nothing happens. */
  readonly act: (order: Opened, act: PayersAct) => Promise<void>;
  /** The next call of the adapter never reaches the provider, or its answer never comes back. */
  readonly loseNext: (what: 'call' | 'answer') => void;
  /** The provider changes the order. `amountMinor`: what is taken back, or what the capture becomes. */
  readonly change: (reference: string, change: Change, amountMinor: bigint) => Promise<void>;
  readonly books: (paymentId: string) => Promise<PaymentBooks>;
  /** All notifications that were sent so far, oldest first. */
  readonly notifications: () => readonly Notification[] | Promise<readonly Notification[]>;
  readonly stop: () => Promise<void>;
};
