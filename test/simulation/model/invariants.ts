import { billMoves, type NormalBill } from '../../../lib/bill/bill.ts';
import { isPaid } from '../../../lib/payment/payment.ts';
import type { Lane } from './lane.ts';
import type { Manners } from './manners.ts';

/** Returns what is wrong with one payment; undefined: nothing. */
export function violationOf(lane: Lane): string | undefined {
  const { paid, order, credits, duplicates, fault } = lane;
  if (fault !== undefined) return fault;
  if (!paid) return undefined;
  const { status, phase } = paid;
  const paysOut = order?.state === 'captured';
  if (credits !== (isPaid(paid) ? 1 : 0)) return 'credits and successes differ';
  if (isPaid(paid) && !paysOut && order?.state !== 'refunded') return 'a success without money';
  if (status === 'UNDERPAID' ? !order?.isLess : status === 'SUCCESS' && order?.isLess)
    return 'the status is not that of the amount';
  if (status === 'FAIL' && phase === 'DONE' && !lane.hasReference && order)
    return 'a payment failed as absent, but has an order';
  if (status === 'FAIL' && phase === 'DONE' && paysOut && !order.cameLate)
    return 'a failed payment holds captured money';
  const refunds = Object.values(lane.refunds).filter((each) => each === 'succeeded' || each === 'pending');
  if (refunds.length > 1) return 'refunded twice';
  if (refunds.length > 0 && duplicates !== 1) return 'refunded without a journal entry';
  return undefined;
}

/** Returns what is wrong with the bill and its payments together. */
export function violationIn(
  bill: NormalBill,
  lanes: readonly Lane[],
  manners: readonly Manners[],
): string | undefined {
  const wins = lanes.filter(({ paid }) => paid && isPaid(paid)).length;
  if (wins > 1) return 'two successful payments';
  if ((billMoves[bill.status].length === 0) !== (wins === 1)) return 'bill and payments disagree';
  if (lanes.filter(isCharged).length > 1 && manners.every(isChargedOnce)) return 'charged twice';
  const refused = lanes.filter(
    ({ paid, order, isByHand }) => paid?.status === 'FAIL' && (isByHand || order?.state !== 'cancelled'),
  );
  if (bill.failures > refused.length) return 'a cancelled payment counts against the bill';
  return undefined;
}

/**
 * Whether the payer's money is at the acquirer. What is captured after the acquirer reported a failure, or after people failed the
 * payment, is refunded, not prevented.
 */
const isCharged = ({ order, isByHand }: Lane): boolean =>
  order?.state === 'captured' && !order.cameLate && !isByHand;

/**
 * Whether a second charge of the bill is prevented: the order is held until the fence, or the bill is held until the order has ended.
 * Where paying captures and the bill can be taken over, the second capture is refunded.
 */
const isChargedOnce = ({ holds, endsOpenOrders }: Manners): boolean => holds || !endsOpenOrders;

/** Whether no work is left: each payment has ended consistently with the acquirer, and no payment holds the bill. */
export const isSettled = (bill: NormalBill, lanes: readonly Lane[]): boolean =>
  bill.status !== 'PROCESS' && lanes.every(isOver);

function isOver({ paid, order }: Lane): boolean {
  if (!paid) return true;
  if (isPaid(paid)) return true;
  return paid.phase === 'DONE' && (order === undefined || over.has(order.state));
}

const over: ReadonlySet<string> = new Set(['declined', 'cancelled', 'voided', 'refunded']);
