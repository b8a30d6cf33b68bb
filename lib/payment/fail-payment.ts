import { refundEntry } from '../ledger/payment-postings.ts';
import { holdsBill } from './next-step.ts';
import { enqueuePostback, outcomePostback } from './outcome-postback.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import type { AcquirerView, PaymentWithBill } from './ports.ts';
import { cardOf, type ResolvePorts, type StepResult } from './resolve-step.ts';

/** T4 and T7: nothing is kept of the payer's money. */
export async function failPayment(
  ports: ResolvePorts,
  { payment, bill }: PaymentWithBill,
  view: AcquirerView,
): Promise<StepResult> {
  const at = ports.now();
  const refunded = payment.phase === 'REFUNDING';
  const after = failed(payment, view);
  const event = isFinalPayment(payment) ? undefined : await outcomePostback(ports, after, at);
  const written = await ports.payments.failed(payment, after, {
    releasesBill: bill.type === 'NORMAL' && holdsBill({ payment, bill }),
    entry: refunded ? refundEntry(payment, payment.receivedMinor ?? 0n, at) : undefined,
    // T7: the bill was paid by another payment, so nobody is to hear of this one.
    event: event && refunded ? { ...event, state: 'SUPERSEDED' } : event,
  });
  if (written.ok)
    await Promise.all([
      refunded ? undefined : enqueuePostback(ports, event),
      countDecline(ports, payment, view, at),
    ]);
  return undefined;
}

function failed(payment: Payment, view: AcquirerView): Payment {
  const outcome = view.state === 'declined' ? view.outcome : view.state;
  return { ...payment, status: 'FAIL', phase: 'DONE', outcome, ...cardOf(view) };
}

/** Only a declined card counts against the payer: who goes away has tested nothing. */
async function countDecline(
  { failedAttempts }: ResolvePorts,
  { payerHash }: Payment,
  view: AcquirerView,
  at: Date,
): Promise<void> {
  if (view.state === 'declined' && payerHash !== undefined) await failedAttempts.add(payerHash, at);
}
