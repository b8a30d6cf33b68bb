import { kindOf } from '../log.ts';
import type { ReceiptState } from '../payment/acquirer.ts';
import { receiptCheckAfter } from '../payment/after-capture.ts';
import { alarmIfUndone } from '../payment/capture-undone.ts';
import { receiptTask } from '../payment/follow-receipts.ts';
import { enqueuePostback } from '../payment/outcome-postback.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { OpenRefund, RefundPorts } from './advance-refund.ts';
import type { Refund } from './refund.ts';
import { refundEvent } from './refund-postback.ts';
import { refundReleaseEntry, refundSettleEntry } from './refund-postings.ts';

type End =
  /** `receipt`: as the acquirer told, if it did. */
  | { readonly status: 'SUCCESS'; readonly receipt: ReceiptState | undefined }
  /** `outcome`: the acquirer's code. */
  | { readonly status: 'FAIL'; readonly outcome: string | undefined };

/**
 * Ends a refund, once: what it locked is settled or released. Returns the refund afterwards, as another caller ended it if one did. A
 * failure is not written when another call was recorded meanwhile.
 */
export async function endRefund(ports: RefundPorts, open: OpenRefund, end: End): Promise<Refund> {
  const { refund: before, found, acquirer } = open;
  const at = ports.now();
  const after = ended(open, end, at);
  const entry = end.status === 'SUCCESS' ? refundSettleEntry(before, at) : refundReleaseEntry(before, at);
  const event = await outcomeEvent(ports, open, after);
  const written = await ports.refunds.end(before, after, { entry, event });
  if (!written.ok) return (await ports.refunds.find(before.id)) ?? before;
  await enqueuePostback(ports, event);
  // What was noticed while the refund was open was not judged.
  const payment = await ports.payments.find(found.payment.id);
  await alarmIfUndone(ports, acquirer, payment ?? found.payment).catch((error: unknown) =>
    ports.log('error', 'capture_not_compared', { ...kindOf(error), payment: before.paymentId }),
  );
  return after;
}

function ended({ refund, found }: OpenRefund, end: End, at: Date): Refund {
  const after = { ...refund, status: end.status, endedAt: at, checks: 0, nextCheck: undefined };
  if (end.status === 'FAIL') return { ...after, outcome: end.outcome, errorCode: 'refund_rejected' };
  const receipt = found.payment.receiptTerms && (end.receipt ?? 'pending');
  return { ...after, receipt, nextCheck: receiptTask(receipt) && receiptCheckAfter(0, at) };
}

/** Undefined when the shop has no refund URL. */
async function outcomeEvent(
  { shops }: RefundPorts,
  { found }: OpenRefund,
  refund: Refund,
): Promise<PostbackEvent | undefined> {
  const shop = await shops.find(refund.shopId);
  return shop?.refundUrl === undefined ? undefined : refundEvent(refund, found.payment);
}
