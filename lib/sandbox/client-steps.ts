import type { SandboxManners } from './manners.ts';
import { hasReference, type Order, type OrderStep } from './order.ts';
import { captured, hold } from './order-money.ts';
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

/**
 * The merchant captures an authorisation or a part of it: once, however many requests arrive under one idempotency key. More
 * than is held is refused; an order without a reference captures what it holds.
 */
export function capture(order: Order, key: string, amountMinor: bigint): OrderStep | undefined {
  if (order.state !== 'authorised') return undefined;
  const behaviour = behaviourOf(order.cardOutcome);
  if (hasReference(order) && amountMinor > order.heldMinor) return undefined;
  if (behaviour.capture === 'lapses') return { to: { ...order, state: 'voided' } };
  if (behaviour.capture === 'fails_before' && !order.faulted)
    return { to: { ...order, faulted: true }, fault: 'fails' };

  const capturesAll = behaviour.holds === 'more' || amountMinor > order.heldMinor;
  const heldMinor = capturesAll ? order.heldMinor : amountMinor;
  const asked: Order = { ...order, captureKey: key, heldMinor, pendingPolls: 0 };
  if (behaviour.capture === 'pending')
    return { to: { ...asked, state: 'capturing', pendingPolls: queriesWhilePending } };
  return behaviour.capture === 'fails_after' ? { ...captured(asked), fault: 'fails' } : captured(asked);
}

/** The merchant voids an authorisation, or cancels an unpaid order where the manners let it. */
export function cancel(
  order: Order,
  { endsOpenOrders }: Pick<SandboxManners, 'endsOpenOrders'>,
): OrderStep | undefined {
  const ends: readonly Order['state'][] = endsOpenOrders
    ? ['open', 'challenged', 'pending', 'authorised']
    : ['authorised'];
  if (!ends.includes(order.state)) return undefined;
  const refusesOnce = order.state === 'authorised' && behaviourOf(order.cardOutcome).void === 'refused_once';
  return refusesOnce && !order.faulted
    ? { to: { ...order, faulted: true } }
    : { to: { ...order, state: 'voided', pendingPolls: 0 } };
}

/**
 * A call of the merchant that may be refused, with the manner of repeating a refusal under its key. `isMet` says of an order
 * whether the call under this key has been carried out.
 */
export const refusable =
  (
    { repeatsRefusals }: Pick<SandboxManners, 'repeatsRefusals'>,
    key: string,
    isMet: (order: Order) => boolean,
    decide: (order: Order) => OrderStep | undefined,
  ) =>
  (order: Order): OrderStep | undefined => {
    if (order.refusedKeys.includes(key)) return undefined;
    const step = decide(order);
    const to = step?.to ?? order;
    if (!repeatsRefusals || step?.fault || isMet(to)) return step;
    return { ...step, to: { ...to, refusedKeys: [...to.refusedKeys, key] } };
  };
