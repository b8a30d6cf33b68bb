import { captureEntry, paymentFee } from '../ledger/payment-postings.ts';
import { recordDuplicateCapture } from './duplicate-capture.ts';
import { enqueuePostback, outcomePostback } from './outcome-postback.ts';
import { chargeMinor, type Payment, statusOfReceipt } from './payment.ts';
import type { AcquirerView, PaymentWithBill } from './ports.ts';
import { amountIn, cardOf, type ResolvePorts, type StepResult } from './resolve-step.ts';

/** T3, or T6 when another payment was quicker to finish the bill. */
export async function settlePayment(
  ports: ResolvePorts,
  { payment, bill }: PaymentWithBill,
  view: AcquirerView,
): Promise<StepResult> {
  const at = ports.now();
  const after = settled(payment, view);
  const event = await outcomePostback(ports, after, at);
  const entry = captureEntry(payment, amountIn(view), at);
  const written = await ports.payments.settle({ payment, bill }, after, entry, event);
  if (written.ok) {
    await enqueuePostback(ports, event);
    return undefined;
  }
  return written.error === 'bill_paid_by_another' ? recordDuplicateCapture(ports, payment, view) : view;
}

function settled(payment: Payment, view: AcquirerView): Payment {
  const receivedMinor = amountIn(view);
  return {
    ...payment,
    status: statusOfReceipt(receivedMinor, chargeMinor(payment)),
    phase: 'DONE',
    receivedMinor,
    feeMinor: paymentFee(payment, receivedMinor),
    ...cardOf(view),
  };
}
