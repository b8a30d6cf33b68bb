import type { Bill } from '../bill/bill.ts';
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
  const written = await ports.payments.settle(payment, after, entry, event);
  if (written.ok) {
    await Promise.all([enqueuePostback(ports, event), markMultiPaid(ports, bill)]);
    return undefined;
  }
  return written.error === 'bill_paid_by_another' ? recordDuplicateCapture(ports, payment, view) : view;
}

/** Outside of T3, where the payers of one bill would wait for each other; whoever looks at the payment next repairs it. */
export async function markMultiPaid({ payments }: Pick<ResolvePorts, 'payments'>, bill: Bill): Promise<void> {
  if (bill.type === 'MULTI' && bill.status === 'NEW') await payments.markMultiPaid(bill.id);
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
