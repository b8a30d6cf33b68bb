import type { Movement } from './books.ts';
import type { Order, OrderStep } from './order.ts';
import { behaviourOf, type CardBehaviour } from './test-values.ts';

/** The issuer holds the money; with one step the acquirer captures it at once. */
export function hold(order: Order): OrderStep {
  const held: Order = { ...order, heldMinor: heldOf(order.amountMinor, behaviourOf(order.cardOutcome)) };
  return order.steps === 'two' ? { to: { ...held, state: 'authorised' } } : captured(held);
}

function heldOf(asked: bigint, { holds }: CardBehaviour): bigint {
  if (!holds) return asked;
  const tenth = asked / 10n > 0n ? asked / 10n : 1n;
  return holds === 'less' ? asked - tenth : asked + tenth;
}

export const captured = (order: Order): OrderStep => ({
  to: { ...order, state: 'captured' },
  movement: moved('captured', order),
});

export const moved = (kind: 'captured' | 'refunded', order: Order): Movement => ({
  kind,
  subject: order.paymentId,
  amountMinor: order.heldMinor,
  currency: order.currency,
});
