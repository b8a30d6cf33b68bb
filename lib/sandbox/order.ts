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

/** What a merchant of the acquirer asks the payer for. */
export type OrderRequest = {
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: BillCurrency;
  readonly description: string;
  readonly returnUrl: string;
  readonly notifyUrl: string;
  readonly steps: 'one' | 'two';
};

/** An order of the sandbox acquirer. Of the card it knows the mask and the outcome, nothing else. */
export type Order = OrderRequest & {
  /** Only whoever has it may open the card page. */
  readonly pageKey: string;
  readonly state: OrderState;
  /** What the card does from here on. */
  readonly cardOutcome: CardOutcome;
  readonly card?: string | undefined;
  /** Why it was declined. */
  readonly outcome?: string | undefined;
  /** What is held or was captured. */
  readonly heldMinor: bigint;
  /** Questions that are still answered "pending" (or not at all). */
  readonly pendingPolls: number;
  /** The one fault of a capture or a void has happened. */
  readonly faulted: boolean;
  readonly captureKey?: string | undefined;
  readonly refundKey?: string | undefined;
};

/** What one request does: the order as it is then, what moved, and whether the answer goes wrong. */
export type OrderStep = {
  readonly to: Order;
  readonly movement?: Movement | undefined;
  readonly fault?: 'fails' | 'times_out' | undefined;
};

export const newOrder = (request: OrderRequest, pageKey: string): Order => ({
  ...request,
  pageKey,
  state: 'open',
  cardOutcome: 'paid',
  heldMinor: 0n,
  pendingPolls: 0,
  faulted: false,
});
