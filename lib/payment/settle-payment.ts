import { alarmIfUndone } from './capture-undone.ts';
import { contactEnd } from './contact.ts';
import { captureEntry, paymentFee, reserveOf } from './payment-postings.ts';
import type { Entry } from '../ledger/entry.ts';
import { ok, type Result } from '../result.ts';
import { recordDuplicateCapture } from './duplicate-capture.ts';
import { endAttempt } from './network-attempts.ts';
import { enqueuePostback, outcomePostback } from './outcome-postback.ts';
import { chargeMinor, type Payment, statusOfReceipt } from './payment.ts';
import type { Acquirer, AcquirerView } from './acquirer.ts';
import type { PaymentWithBill } from './ports.ts';
import { feeEntries, withCapture } from './provider-fee.ts';
import {
  amountIn,
  type CapturePorts,
  accountOf,
  type ResolvePorts,
  type StepResult,
} from './resolve-step.ts';

/**
 * Settles the payment, or records a duplicate capture when another payment finished the bill first. What went back at the acquirer
 * before becomes an item for two people: no notification may follow.
 */
export async function settlePayment(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  view: AcquirerView,
): Promise<StepResult> {
  const written = await recordCapture(ports, found, view);
  if (written.ok) {
    await endAttempt(ports, found.payment, 'succeeded');
    if (view.state === 'captured' && view.refundedMinor > 0n)
      await alarmIfUndone(ports, acquirer, written.value);
    return undefined;
  }
  return written.error === 'bill_paid_by_another'
    ? recordDuplicateCapture(ports, found.payment, view)
    : { view };
}

/** Records the capture, whether the acquirer or a person reported it. */
export async function recordCapture(
  ports: CapturePorts,
  { payment, bill }: PaymentWithBill,
  view: AcquirerView,
): Promise<Result<Payment, 'moved_meanwhile' | 'bill_paid_by_another'>> {
  const at = ports.now();
  const capture = captureEntry(payment, amountIn(view), at);
  const after = { ...settled(ports, payment, { view, capture }), ...contactEnd(payment, at) };
  const event = await outcomePostback(ports, after, at);
  const entries = [capture, ...feeEntries(payment, after, at)] as const;
  const written = await ports.payments.settle({ payment, bill }, after, entries, event);
  if (!written.ok) return written;
  await enqueuePostback(ports, event);
  return ok(after);
}

type Capture = { readonly view: AcquirerView; readonly capture: Entry };

function settled(ports: CapturePorts, payment: Payment, { view, capture }: Capture): Payment {
  const receivedMinor = amountIn(view);
  return {
    ...payment,
    status: statusOfReceipt(receivedMinor, chargeMinor(payment)),
    phase: 'DONE',
    receivedMinor,
    feeMinor: paymentFee(payment, receivedMinor),
    reserve: reserveOf(payment, capture),
    ...withCapture(ports, payment, view),
    ...accountOf(view),
  };
}
