import { kindOf } from '../log.ts';
import type { ReceiptState } from '../payment/acquirer.ts';
import { receiptCheckAfter } from '../payment/after-capture.ts';
import { ProviderBusy } from '../provider-port.ts';
import { knownOrderOf } from '../payment/start-order.ts';
import { opened, type RefundPorts } from './advance-refund.ts';
import { type Refund, refundCallKey } from './refund.ts';

/**
 * Checks the registration of a refund's receipt. One that failed, or is still pending at the last check, is listed for a person in the
 * transaction that ends the checks. A check that was not answered counts; one for which the acquirer was busy does not.
 */
export async function checkRefundReceipt(ports: RefundPorts, before: Refund): Promise<void> {
  const now = ports.now();
  const asked = await ask(ports, before);
  if (asked instanceof ProviderBusy) {
    const nextCheck = new Date(now.getTime() + asked.retryAfterMs);
    await ports.refunds.recordReceipt(before, { ...before, nextCheck }, undefined);
    return;
  }
  const checks = before.checks + 1;
  const nextCheck = asked === 'pending' ? receiptCheckAfter(checks, now) : undefined;
  const isGivenUp = asked !== 'registered' && !nextCheck;
  const { paymentId, id: refundId } = before;
  // Before the write: two checks may both raise the alarm, but a crash cannot suppress it.
  if (isGivenUp) ports.alarm('receipt_not_registered', { payment: paymentId, refund: refundId });
  await ports.refunds.recordReceipt(
    before,
    { ...before, receipt: asked, checks, nextCheck },
    isGivenUp ? { paymentId, refundId, of: 'refund', state: asked, at: now, closed: undefined } : undefined,
  );
}

async function ask(ports: RefundPorts, refund: Refund): Promise<ReceiptState | ProviderBusy> {
  try {
    const { found, acquirer } = await opened(ports, refund);
    const key = refundCallKey(refund.id, refund.call ?? { attempt: 1 });
    const view = await acquirer.findRefund(knownOrderOf(found.payment), key);
    return (view?.state === 'succeeded' ? view.receipt : undefined) ?? 'pending';
  } catch (error) {
    ports.log('error', 'refund_receipt_not_checked', { ...kindOf(error), refund: refund.id });
    return error instanceof ProviderBusy ? error : (refund.receipt ?? 'pending');
  }
}
