import type { BillCurrency } from '../money/money.ts';
import type { Movement } from './books.ts';
import { maskOf } from './card.ts';
import { behaviourOf, outcomeOfCard, type CardBehaviour, type CardOutcome } from './test-values.ts';

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
  readonly plan: CardOutcome;
  readonly card?: string | undefined;
  /** Why it was declined. */
  readonly outcome?: string | undefined;
  /** What is held or was captured. */
  readonly heldMinor: bigint;
  /** Questions that are still answered "pending" (or not at all). */
  readonly silentFor: number;
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

/** Questions that a pending authorisation or capture lets pass. */
const questionsWhilePending = 2;

export const newOrder = (request: OrderRequest, pageKey: string): Order => ({
  ...request,
  pageKey,
  state: 'open',
  plan: 'paid',
  heldMinor: 0n,
  silentFor: 0,
  faulted: false,
});

/** The payer gave a card. Undefined when the order is past that. */
export function payWithCard(order: Order, number: string): OrderStep | undefined {
  if (order.state !== 'open') return undefined;
  const plan = outcomeOfCard(number);
  const given: Order = { ...order, plan, card: maskOf(number) };
  return behaviourOf(plan).challenge ? { to: { ...given, state: 'challenged' } } : decideByIssuer(given);
}

/** The payer answered the 3-D Secure challenge. */
export function answerChallenge(order: Order, answer: 'confirm' | 'refuse'): OrderStep | undefined {
  if (order.state !== 'challenged') return undefined;
  return answer === 'confirm' ? decideByIssuer(order) : { to: declined(order, 'challenge_refused') };
}

/** The payer gave up on the card page. */
export const abandon = (order: Order): OrderStep | undefined =>
  order.state === 'open' || order.state === 'challenged'
    ? { to: declined(order, 'abandoned_by_payer') }
    : undefined;

const declined = (order: Order, outcome: string): Order => ({ ...order, state: 'declined', outcome });

function decideByIssuer(order: Order): OrderStep {
  const { decline, pendingFor, page } = behaviourOf(order.plan);
  if (decline) return { to: declined(order, decline) };
  if (pendingFor) return { to: { ...order, state: 'pending', silentFor: pendingFor } };
  const step = hold(order);
  return page === 'times_out' ? { ...step, to: { ...step.to, silentFor: 1 }, fault: 'times_out' } : step;
}

function hold(order: Order): OrderStep {
  const held: Order = { ...order, heldMinor: heldOf(order.amountMinor, behaviourOf(order.plan)) };
  return order.steps === 'two' ? { to: { ...held, state: 'authorised' } } : captured(held);
}

function heldOf(asked: bigint, { holds }: CardBehaviour): bigint {
  if (!holds) return asked;
  const tenth = asked / 10n > 0n ? asked / 10n : 1n;
  return holds === 'less' ? asked - tenth : asked + tenth;
}

const captured = (order: Order): OrderStep => ({
  to: { ...order, state: 'captured' },
  movement: moved('captured', order),
});

const moved = (kind: 'captured' | 'refunded', order: Order): Movement => ({
  kind,
  subject: order.paymentId,
  amountMinor: order.heldMinor,
  currency: order.currency,
});

/** The merchant asks how the order stands. A pending one ripens with each question. */
export function ask(order: Order): OrderStep | undefined {
  if (order.silentFor > 0) return silent(order);
  if (order.state === 'pending') return hold(order);
  return order.state === 'capturing' ? captured(order) : undefined;
}

function silent(order: Order): OrderStep {
  const to = { ...order, silentFor: order.silentFor - 1 };
  return order.state === 'pending' || order.state === 'capturing' ? { to } : { to, fault: 'times_out' };
}

/** The merchant captures an authorisation: once, whatever the number of requests under one key. */
export function capture(order: Order, key: string, amountMinor: bigint): OrderStep | undefined {
  if (order.state !== 'authorised') return undefined;
  const behaviour = behaviourOf(order.plan);
  if (behaviour.capture === 'lapses') return { to: { ...order, state: 'voided' } };
  if (behaviour.capture === 'fails_before' && !order.faulted)
    return { to: { ...order, faulted: true }, fault: 'fails' };

  const heldMinor = behaviour.holds || amountMinor > order.heldMinor ? order.heldMinor : amountMinor;
  const asked: Order = { ...order, captureKey: key, heldMinor, silentFor: 0 };
  if (behaviour.capture === 'pending')
    return { to: { ...asked, state: 'capturing', silentFor: questionsWhilePending } };
  return behaviour.capture === 'fails_after' ? { ...captured(asked), fault: 'fails' } : captured(asked);
}

/** The merchant gives captured money back, all of it. */
export const refund = (order: Order, key: string): OrderStep | undefined =>
  order.state === 'captured'
    ? { to: { ...order, state: 'refunded', refundKey: key }, movement: moved('refunded', order) }
    : undefined;

/** The merchant ends an order that nobody paid, or an authorisation. */
export function cancel(order: Order): OrderStep | undefined {
  if (!['open', 'challenged', 'pending', 'authorised'].includes(order.state)) return undefined;
  const refusesOnce = order.state === 'authorised' && behaviourOf(order.plan).void === 'refused_once';
  return refusesOnce && !order.faulted
    ? { to: { ...order, faulted: true } }
    : { to: { ...order, state: 'voided', silentFor: 0 } };
}
