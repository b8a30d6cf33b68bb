import { duplicateCaptureEntry } from './payment-postings.ts';
import type { Result } from '../result.ts';
import type { Payment } from './payment.ts';
import type { AcquirerView } from './ports.ts';
import {
  amountIn,
  cardOf,
  type OutcomePorts,
  type ResolvePorts,
  type StepResult,
  viewIfProgressed,
  viewUnlessRaced,
} from './resolve-step.ts';

/** T6: what came in for a bill that is paid already is booked as owed to the payer, and refunded. */
export async function recordDuplicateCapture(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // Before the write: two handlers may both tell the operator, but a crash cannot keep it from them.
  ports.alarm(payment.status === 'FAIL' ? 'late_money' : 'duplicate_capture', { payment: payment.id });
  return viewUnlessRaced(await bookForRefund(ports, payment, view, cardOf(view)), view);
}

/** Money that was captured although it was to be voided is booked before it goes back. */
export async function refundDuplicate(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  if (payment.phase === 'VOIDING') return recordDuplicateCapture(ports, payment, view);
  return viewIfProgressed(view, await ports.acquirer.refund(payment.id, `${payment.id}:refund`));
}

/** T9, late money: the status stays, the money goes back, and the operator is told. */
export async function recordLateMoney(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // Booked and given back once already: what the acquirer now holds is for a person to sort out with it.
  if (payment.receivedMinor !== undefined) {
    ports.alarm('refund_undone', { payment: payment.id });
    return 'nothing';
  }
  ports.alarm('late_money', { payment: payment.id });
  if (view.state !== 'captured') return viewUnlessRaced(await ports.payments.startVoid(payment), view);
  return viewUnlessRaced(await bookForRefund(ports, payment, view), view);
}

/** The entry of T6 and T9, and the payment that waits for its refund. */
export async function bookForRefund(
  { payments, now }: Pick<OutcomePorts, 'payments' | 'now'>,
  payment: Payment,
  view: AcquirerView,
  card: ReturnType<typeof cardOf> = {},
): Promise<Result<void, 'moved_meanwhile'>> {
  const receivedMinor = amountIn(view);
  const after: Payment = { ...payment, phase: 'REFUNDING', receivedMinor, ...card };
  const entry = duplicateCaptureEntry(payment, receivedMinor, now());
  return payments.recordDuplicateCapture(payment, after, entry);
}
