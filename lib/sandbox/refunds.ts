import { isKeyAlive, type SandboxManners } from './manners.ts';
import { returnedMinor, type Order, type OrderStep, type Refund } from './order.ts';
import { refunded } from './order-money.ts';
import { behaviourOf } from './test-values.ts';

/** Our own account at the sandbox was empty. */
export const emptyAccountOutcome = 'insufficient_account_balance';
const rejectedOutcome = 'rejected_by_issuer';

/** Status queries that are answered "pending" before a pending refund succeeds. */
const queriesWhilePending = 2;

export type RefundRequest = Pick<Refund, 'reference' | 'refundId' | 'key' | 'at' | 'amountMinor'>;

/** The refund that was made under this key, while the key is known. */
export const refundUnder = (
  { refunds }: Order,
  { key, at }: Pick<RefundRequest, 'key' | 'at'>,
  manners: SandboxManners,
): Refund | undefined =>
  refunds.findLast((refund) => refund.key === key && isKeyAlive(manners, refund.at, at));

/**
 * The merchant refunds a part or the whole of what is left of the capture. Undefined when that is not possible, or was done under
 * this key before.
 */
export function makeRefund(
  order: Order,
  request: RefundRequest,
  manners: SandboxManners,
): OrderStep | undefined {
  if (order.state !== 'captured' || refundUnder(order, request, manners)) return undefined;
  const left = order.heldMinor - returnedMinor(order, 'pending', 'succeeded');
  if (request.amountMinor > left) return undefined;

  const how = behaviourOf(order.cardOutcome).refund;
  const made: Refund = { ...request, state: 'succeeded', outcome: undefined, pendingPolls: 0 };
  if (how === 'pending')
    return withRefund(order, { ...made, state: 'pending', pendingPolls: queriesWhilePending });
  if (how === 'rejected') return withRefund(order, { ...made, state: 'rejected', outcome: rejectedOutcome });
  if (how === 'account_empty_once' && !order.faulted)
    return withRefund(
      { ...order, faulted: true },
      { ...made, state: 'rejected', outcome: emptyAccountOutcome },
    );
  return { ...withRefund(order, made), movement: refunded(order, made) };
}

const withRefund = (order: Order, refund: Refund): OrderStep => ({
  to: { ...order, refunds: [...order.refunds, refund] },
});

/** The merchant queries a refund. A pending one succeeds after a set number of queries. */
export function askRefund(order: Order, refundId: string): OrderStep | undefined {
  const pending = order.refunds.find((each) => each.refundId === refundId && each.state === 'pending');
  if (!pending) return undefined;
  const isDone = pending.pendingPolls === 0;
  const after: Refund = isDone
    ? { ...pending, state: 'succeeded' }
    : { ...pending, pendingPolls: pending.pendingPolls - 1 };
  const to = { ...order, refunds: order.refunds.map((each) => (each === pending ? after : each)) };
  return isDone ? { to, movement: refunded(order, after) } : { to };
}
