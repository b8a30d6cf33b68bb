import { Defect } from '../defect.ts';
import type { RefundId } from '../ids.ts';
import { kindOf } from '../log.ts';
import { isDueAt } from '../payment/after-capture.ts';
import { emptyPauseMs } from '../payment/duplicate-capture.ts';
import { ProviderBusy } from '../provider-port.ts';
import { advanceRefund, type RefundPorts } from './advance-refund.ts';
import { checkRefundReceipt } from './check-refund-receipt.ts';
import { isEndedRefund, type Refund } from './refund.ts';

/** The backoff of checks: the first is due at once, the next after these pauses, then hourly. */
const pausesInSeconds = [10, 30, 120, 600] as const;
const stuckAfterMs = 24 * 3600_000;

/**
 * Carries out one due refund: takes its next step, and schedules the next check while it stays open. After a day each check raises
 * `refund_stuck`. A duplicate or late message changes nothing. When the acquirer cannot be reached the worker does not fail: the refund
 * becomes due again, after the acquirer's own pause when it is busy. Throws when the store cannot be reached, and for a refund that does
 * not exist.
 */
export async function checkRefund(ports: RefundPorts, refundId: RefundId): Promise<void> {
  const before = await ports.refunds.find(refundId);
  if (!before) throw new Defect('REFUND_MISSING', `Refund ${refundId} does not exist`);
  if (!before.nextCheck || !isDueAt(before.nextCheck, ports.now())) return;
  if (isEndedRefund(before)) return checkRefundReceipt(ports, before);
  let failure: unknown;
  const after = await advanceRefund(ports, before).catch((error: unknown) => {
    failure = error;
    ports.log('error', 'refund_not_advanced', { ...kindOf(error), refund: refundId });
    return before;
  });
  if (isEndedRefund(after)) return;
  if (ports.now().getTime() - before.createdAt.getTime() > stuckAfterMs)
    ports.alarm('refund_stuck', { payment: before.paymentId, refund: refundId });
  await ports.refunds.postponeCheck(before, nextCheck(after, ports.now(), failure));
}

function nextCheck({ checks, call }: Refund, now: Date, failure: unknown): Date {
  const pauseMs =
    failure instanceof ProviderBusy
      ? failure.retryAfterMs
      : call?.answer === 'empty'
        ? emptyPauseMs
        : (pausesInSeconds[checks] ?? 3600) * 1000;
  return new Date(now.getTime() + pauseMs);
}
