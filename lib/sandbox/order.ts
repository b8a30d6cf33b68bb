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
  /** Of orders without references only: refunded whole. */
  'refunded',
] as const;
export type OrderState = (typeof orderStates)[number];

export const orderMethods = ['card', 'sbp'] as const;

/** What a merchant of the acquirer charges the payer for. */
export type OrderRequest = {
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: BillCurrency;
  readonly description: string;
  readonly returnUrl: string;
  readonly notifyUrl: string;
  readonly steps: 'one' | 'two';
  readonly method: (typeof orderMethods)[number];
};

/** A refund that the merchant asked for. Rejected ones stay listed. */
export type Refund = {
  readonly reference: string;
  /** The merchant's id. */
  readonly refundId: string;
  readonly key: string;
  readonly at: Date;
  readonly amountMinor: bigint;
  readonly state: 'pending' | 'succeeded' | 'rejected';
  /** Why it was rejected. */
  readonly outcome: string | undefined;
  /** Status queries that are still answered "pending". */
  readonly pendingPolls: number;
};

/** An order of the sandbox acquirer. It stores the card's mask and outcome, nothing else of the card. */
export type Order = OrderRequest & {
  /** The acquirer's own id. The orders of earlier versions are known by the merchant's payment id instead. */
  readonly reference: string;
  /** Undefined in orders of earlier versions, whose pages do not expire. */
  readonly openedAt: Date | undefined;
  readonly payableUntil: Date | undefined;
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
  /** What the acquirer kept of the capture, and from when it tells; undefined: no fee is taken. */
  readonly feeMinor: bigint | undefined;
  readonly feeToldAt: Date | undefined;
  /** Status queries that are still answered "pending", or time out. */
  readonly pendingPolls: number;
  /** Whether the outcome's single capture, void or refund fault has happened. */
  readonly faulted: boolean;
  readonly captureKey: string | undefined;
  /** Keys whose call was refused, for manners that repeat refusals. */
  readonly refusedKeys: readonly string[];
  readonly refunds: readonly Refund[];
  /** What went back to the payer without the merchant: by the acquirer's staff, or charged back. */
  readonly takenBackMinor: bigint;
  /** How often its money was changed after the capture; each change has its number in the books. */
  readonly changes: number;
};

/** The effect of one request: the order's next state, its movement of money, and whether the response fails. */
export type OrderStep = {
  readonly to: Order;
  readonly movement?: Movement;
  readonly fault?: 'fails' | 'times_out';
};

/** What the acquirer adds to a request. */
export type Opening = Pick<Order, 'reference' | 'openedAt' | 'payableUntil' | 'pageKey'>;

export const newOrder = (request: OrderRequest, opening: Opening): Order => ({
  ...request,
  ...opening,
  state: 'open',
  cardOutcome: 'paid',
  card: undefined,
  outcome: undefined,
  heldMinor: 0n,
  feeMinor: undefined,
  feeToldAt: undefined,
  pendingPolls: 0,
  faulted: false,
  captureKey: undefined,
  refusedKeys: [],
  refunds: [],
  takenBackMinor: 0n,
  changes: 0,
});

/** Whether the order has a reference of its own, as every order of this version has. */
export const hasReference = ({ reference, paymentId }: Order): boolean => reference !== paymentId;

/** What of the capture has gone back, or is on its way. */
export function returnedMinor(order: Order, ...states: readonly Refund['state'][]): bigint {
  if (order.state === 'refunded') return order.heldMinor;
  return order.refunds
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { amountMinor }) => sum + amountMinor, order.takenBackMinor);
}
