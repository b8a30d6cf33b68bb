import type { Movement } from './books.ts';
import { hasReference, type Order, type OrderStep, type Refund } from './order.ts';
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
  movement: {
    ...lineOf('captured', order, order.heldMinor),
    ...(hasReference(order) && {
      named: { reference: order.reference, ourId: order.paymentId, order: order.reference },
    }),
  },
});

export const refunded = (order: Order, { reference, refundId, amountMinor }: Refund): Movement => ({
  ...lineOf('refunded', order, amountMinor),
  named: { reference, ourId: refundId, order: order.reference },
});

/** A movement that the merchant did not ask for. Nothing of it carries the merchant's ids. */
export const changed = (kind: 'captured' | 'refunded', order: Order, amountMinor: bigint): Movement => ({
  ...lineOf(kind, order, amountMinor),
  named: { reference: `${order.reference}.${order.changes}`, ourId: undefined, order: order.reference },
});

const lineOf = (kind: 'captured' | 'refunded', order: Order, amountMinor: bigint): Movement => ({
  kind,
  subject: order.paymentId,
  amountMinor,
  currency: order.currency,
});
