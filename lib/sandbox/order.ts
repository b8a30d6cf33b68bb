import type { BillCurrency } from '../money/money.ts';
import type { Movement } from './books.ts';
import type { CardOutcome } from './test-values.ts';

export const orderStates = [
  'open',
  'challenged',
  'pending',
  'authorised',
  'capturing',
  'captured',
  'declined',
  'voided',
  'refunded',
] as const;
export type OrderState = (typeof orderStates)[number];

/** What a merchant of the acquirer charges the payer for. */
export type OrderRequest = {
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: BillCurrency;
  readonly description: string;
  readonly returnUrl: string;
  readonly notifyUrl: string;
  readonly steps: 'one' | 'two';
};

/** An order of the sandbox acquirer. It stores the card's mask and outcome, nothing else of the card. */
export type Order = OrderRequest & {
  /** The secret in the card page's URL. */
  readonly pageKey: string;
  readonly state: OrderState;
  /** The outcome that the card selects. */
  readonly cardOutcome: CardOutcome;
  readonly card: string | undefined;
  /** Why it was declined. */
  readonly outcome: string | undefined;
  /** The amount held or captured. */
  readonly heldMinor: bigint;
  /** Status queries that are still answered "pending", or time out. */
  readonly pendingPolls: number;
  /** Whether the outcome's single capture or void fault has happened. */
  readonly faulted: boolean;
  readonly captureKey: string | undefined;
  readonly refundKey: string | undefined;
};

/** The effect of one request: the order's next state, its movement of money, and whether the response fails. */
export type OrderStep = {
  readonly to: Order;
  readonly movement?: Movement;
  readonly fault?: 'fails' | 'times_out';
};

export const newOrder = (request: OrderRequest, pageKey: string): Order => ({
  ...request,
  pageKey,
  state: 'open',
  cardOutcome: 'paid',
  card: undefined,
  outcome: undefined,
  heldMinor: 0n,
  pendingPolls: 0,
  faulted: false,
  captureKey: undefined,
  refundKey: undefined,
});
