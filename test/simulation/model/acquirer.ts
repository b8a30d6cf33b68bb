import { seenState, type SeenState } from '../../../lib/payment/next-step.ts';
import { captured } from '../../support/acquirer-views.ts';
import { type Age, changed, type Changes, type Handler, type Lane, type Order, type Refund } from './lane.ts';
import type { Manners } from './manners.ts';

/*
 * The acquirer of one payment: what it answers, and what happens there without a call of ours.
 */

export type Move = { readonly name: string; readonly lane: Lane };

/** What a query of the order returns, as the product sees it. */
export const viewOf = ({ order }: Lane): SeenState => {
  if (!order) return 'unknown';
  return order.state === 'refunded' ? seenState(captured(1n, { refundedMinor: 1n })) : order.state;
};

/** Everything that may happen next at the acquirer, and to its deployment, without a call of ours. */
export function happens(lane: Lane, manners: Manners): readonly Move[] {
  const move = (name: string, changes: Changes): Move => ({ name, lane: changed(lane, changes) });
  const { order, isDeployed } = lane;
  const moves: Move[] = [];
  if (order) {
    for (const next of laterOrders(lane, order, manners))
      moves.push(move(`order: ${next.state}${next.isLess ? ', less' : ''}`, { order: next }));
    if (!order.isListed) moves.push(move('order: listed', { order: { ...order, isListed: true } }));
    moves.push(...laterRefunds(lane, order));
  }
  if (manners.leaves && isOpenOrQueried(lane))
    moves.push(move(isDeployed ? 'acquirer leaves' : 'acquirer is back', { isDeployed: !isDeployed }));
  const older = laterAge(lane, manners);
  if (older) moves.push(move(`time: ${older}`, { age: older }));
  const { refundCall } = lane;
  const keyAge = refundCall && manners.delaysRefunds ? laterKeyAge(lane) : undefined;
  if (refundCall && keyAge)
    moves.push(move(`time of refund: ${keyAge}`, { refundCall: { ...refundCall, age: keyAge } }));
  return moves;
}

const isOpenOrQueried = ({ paid, lateQuery }: Lane): boolean =>
  paid !== undefined && (paid.phase !== 'DONE' || lateQuery !== undefined);

function laterOrders(lane: Lane, order: Order, manners: Manners): readonly Order[] {
  const { holds, authorisesLess, failureIsFinal, undoes } = manners;
  const paid: Order = { ...order, state: holds ? 'authorised' : 'captured' };
  switch (order.state) {
    case 'pending':
      return [
        paid,
        ...(authorisesLess ? [{ ...paid, isLess: true }] : []),
        { ...order, state: 'declined' },
        { ...order, state: 'cancelled' },
      ];
    case 'authorised':
      return [{ ...order, state: 'voided' }];
    case 'declined':
    case 'cancelled':
      return failureIsFinal || order.cameLate || !isQueriedAgain(lane)
        ? []
        : [
            { ...order, state: 'captured', cameLate: true },
            ...(holds ? [{ ...order, state: 'authorised' as const, cameLate: true }] : []),
          ];
    case 'captured':
      return undoes || isForAPerson(lane) ? [{ ...order, state: 'refunded' }] : [];
    case 'voided':
    case 'refunded':
      return [];
  }
}

/** Nothing queries a failed payment after a week, so a later change is not seen (README "Limits"). */
const isQueriedAgain = ({ paid, lateQuery, handlers }: Lane): boolean =>
  paid?.phase !== 'DONE' ||
  lateQuery === 'day' ||
  (lateQuery === 'week' && !handlers.some((each) => each.kind === 'queried' && each.lateQuery === 'week'));

/** A refund that only a person can make: it was rejected, or what its lost calls did is unknown. */
const isForAPerson = ({ paid, refundCall, refunds }: Lane): boolean =>
  paid?.phase === 'REFUNDING' &&
  refundCall !== undefined &&
  (refundCall.answer === 'rejected' || refundCall.age === 'expired') &&
  !Object.values(refunds).some((refund) => refund === 'pending' || refund === 'succeeded');

function laterRefunds(lane: Lane, order: Order): readonly Move[] {
  const results: readonly Refund[] = ['succeeded', 'rejected', 'empty'];
  return Object.entries(lane.refunds).flatMap(([attempt, refund]) =>
    refund === 'pending'
      ? results
          .filter((result) => result !== 'empty' || attempt === '1')
          .map((result) => ({
            name: `refund ${attempt}: ${result}`,
            lane: withRefund(lane, order, { attempt: Number(attempt), refund: result }),
          }))
      : [],
  );
}

type UnderKey = { readonly attempt: number; readonly refund: Refund };

/** Returns the lane with the refund under this key at the acquirer. */
function withRefund(lane: Lane, order: Order, { attempt, refund }: UnderKey): Lane {
  return changed(lane, {
    refunds: { ...lane.refunds, [attempt]: refund },
    order: refund === 'succeeded' ? { ...order, state: 'refunded' } : order,
  });
}

/** The payment grows older as long as something depends on its age. A call that was begun within 22 hours arrives within 24. */
function laterAge({ paid, age, hasReference, order, handlers }: Lane, manners: Manners): Age | undefined {
  const isOpen = paid?.phase === 'AUTHORIZING' || paid?.phase === 'VOIDING';
  if (!isOpen || hasReference || !manners.losesStarts) return undefined;
  switch (age) {
    case 'live':
      return 'unsent';
    case 'unsent':
      return handlers.some(isStartedInTime) ? undefined : 'expired';
    case 'expired':
      return order?.isListed === false ? undefined : 'listed';
    case 'listed':
      return undefined;
  }
}

const isStartedInTime = (handler: Handler): boolean =>
  handler.kind === 'starting'
    ? handler.isInTime
    : handler.kind === 'acting' &&
      handler.step === 'start' &&
      (handler.at === 'open' || handler.at === 'closed');

function laterKeyAge({ paid, refundCall, handlers }: Lane): Age | undefined {
  if (paid?.phase !== 'REFUNDING') return undefined;
  if (refundCall?.age === 'live') return 'unsent';
  const isInFlight = handlers.some((handler) => handler.kind === 'refunding' && handler.isInTime);
  return refundCall?.age === 'unsent' && !isInFlight ? 'expired' : undefined;
}

// ---- calls: each returns the lane after it, and the answer

/** Opens the order, or returns it: a key is known for 24 hours. */
export function startedAt(lane: Lane, { listLags, losesStarts }: Manners): Lane {
  if (lane.age === 'expired' || lane.age === 'listed')
    return changed(lane, { fault: 'an order was created under an expired key' });
  if (lane.order) return lane;
  const isListed = !(listLags && losesStarts);
  return changed(lane, { order: { state: 'pending', isLess: false, isListed, cameLate: false } });
}

export function capturedAt(lane: Lane, asks: 'authorised' | 'charge'): Lane {
  const { order } = lane;
  if (order?.state !== 'authorised') return lane;
  const fault = asks === 'charge' && order.isLess ? 'more was captured than was authorised' : lane.fault;
  return changed(lane, { order: { ...order, state: 'captured' }, fault });
}

/** An order that can be ended may still not be at this moment: its payer is paying. */
export function cancelledAt(lane: Lane, { endsOpenOrders }: Manners): readonly Lane[] {
  const { order } = lane;
  const voided = order && changed(lane, { order: { ...order, state: 'voided' } });
  if (voided && order.state === 'authorised') return [voided];
  return voided && order.state === 'pending' && endsOpenOrders ? [voided, lane] : [lane];
}

/** Refunds, or returns the refund under this key while the key is known. */
export function refundedAt(lane: Lane, attempt: number, { delaysRefunds }: Manners): readonly UnderLane[] {
  const { order, refundCall, refunds } = lane;
  if (!order) return [];
  const isKnown = refundCall?.attempt !== attempt || refundCall.age !== 'expired';
  const before = refunds[attempt];
  if (before && isKnown) return [{ lane, refund: before }];
  const fault = isKnown ? lane.fault : 'a refund was sent after its key expired';
  const results: readonly Refund[] =
    order.state !== 'captured'
      ? ['rejected']
      : !delaysRefunds
        ? ['succeeded']
        : ['succeeded', 'pending', 'rejected', ...(attempt === 1 ? (['empty'] as const) : [])];
  return results.map((refund) => ({
    lane: changed(withRefund(lane, order, { attempt, refund }), { fault }),
    refund,
  }));
}
type UnderLane = { readonly lane: Lane; readonly refund: Refund };
