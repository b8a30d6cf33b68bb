import type { Order, OrderStep } from './order.ts';
import { captured, hold, moved } from './order-money.ts';
import { behaviourOf } from './test-values.ts';

/** Status queries that are answered "pending" before a pending capture succeeds. */
const queriesWhilePending = 2;

/** The merchant queries the order. A pending one is decided after a set number of queries. */
export function ask(order: Order): OrderStep | undefined {
  if (order.pendingPolls > 0) return answerPending(order);
  if (order.state === 'pending') return hold(order);
  return order.state === 'capturing' ? captured(order) : undefined;
}

function answerPending(order: Order): OrderStep {
  const to = { ...order, pendingPolls: order.pendingPolls - 1 };
  return order.state === 'pending' || order.state === 'capturing' ? { to } : { to, fault: 'times_out' };
}

/** The merchant captures an authorisation: once, however many requests arrive under one idempotency key. */
export function capture(order: Order, key: string, amountMinor: bigint): OrderStep | undefined {
  if (order.state !== 'authorised') return undefined;
  const behaviour = behaviourOf(order.cardOutcome);
  if (behaviour.capture === 'lapses') return { to: { ...order, state: 'voided' } };
  if (behaviour.capture === 'fails_before' && !order.faulted)
    return { to: { ...order, faulted: true }, fault: 'fails' };

  const heldMinor = behaviour.holds || amountMinor > order.heldMinor ? order.heldMinor : amountMinor;
  const asked: Order = { ...order, captureKey: key, heldMinor, pendingPolls: 0 };
  if (behaviour.capture === 'pending')
    return { to: { ...asked, state: 'capturing', pendingPolls: queriesWhilePending } };
  return behaviour.capture === 'fails_after' ? { ...captured(asked), fault: 'fails' } : captured(asked);
}

/** The merchant refunds the whole capture. */
export const refund = (order: Order, key: string): OrderStep | undefined =>
  order.state === 'captured'
    ? { to: { ...order, state: 'refunded', refundKey: key }, movement: moved('refunded', order) }
    : undefined;

/** The merchant cancels an unpaid order, or voids an authorisation. */
export function cancel(order: Order): OrderStep | undefined {
  if (!['open', 'challenged', 'pending', 'authorised'].includes(order.state)) return undefined;
  const refusesOnce = order.state === 'authorised' && behaviourOf(order.cardOutcome).void === 'refused_once';
  return refusesOnce && !order.faulted
    ? { to: { ...order, faulted: true } }
    : { to: { ...order, state: 'voided', pendingPolls: 0 } };
}
