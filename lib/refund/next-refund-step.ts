import { hoursSince, isRefused, listDecidesHours } from '../payment/call.ts';
import { nextRefund } from '../payment/duplicate-capture.ts';
import type { Refund } from './refund.ts';

/** For how long a refund that our empty account at the acquirer prevents is attempted again. */
const waitsForMoneyHours = 3 * 24;

/** `send`: call the acquirer; `look`: read the refund there without creating one; `fail`: it is known that nothing was refunded. */
export type RefundStep = 'send' | 'look' | 'wait' | 'fail';

/** Returns how an open refund goes on. Pure; the store's conditions check it again. */
export function nextRefundStep(
  { call, createdAt }: Pick<Refund, 'call' | 'createdAt'>,
  now: Date,
): RefundStep {
  if (isRefused(call)) {
    // Every call was refused for good, or our account stayed empty.
    if (call?.answer === 'refused' || hoursSince(createdAt, now) >= waitsForMoneyHours) return 'fail';
  }
  const step = nextRefund(call, now);
  return step === 'alarm' ? 'fail' : step;
}

/**
 * Whether a refund that the acquirer does not have was never made: the key of its calls is over, and none of them was answered with a
 * refund that is under way.
 */
export const absenceDecides = ({ call }: Pick<Refund, 'call'>, now: Date): boolean =>
  call !== undefined && call.answer !== 'pending' && hoursSince(call.firstAt, now) >= listDecidesHours;
