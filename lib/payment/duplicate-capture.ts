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

/** Duplicate capture: another payment paid the bill, so the money is posted as owed to the payer, then refunded. */
export async function recordDuplicateCapture(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // Before the write: two handlers may both raise the alarm, but a crash cannot suppress it.
  ports.alarm(payment.status === 'FAIL' ? 'late_money' : 'duplicate_capture', { payment: payment.id });
  return viewUnlessRaced(await bookForRefund(ports, payment, view, cardOf(view)), view);
}

/** Refunds a duplicate capture. A payment that was captured while being voided is posted first. */
export async function refundDuplicate(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  if (payment.phase === 'VOIDING') return recordDuplicateCapture(ports, payment, view);
  return viewIfProgressed(view, await ports.acquirer.refund(payment.id, `${payment.id}:refund`));
}

/** Late money: the status stays FAIL, the money is voided or refunded, and an alarm is raised. */
export async function recordLateMoney(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // It was posted and refunded before: a person must clarify with the acquirer what it holds now.
  if (payment.receivedMinor !== undefined) {
    ports.alarm('refund_undone', { payment: payment.id });
    return 'nothing';
  }
  ports.alarm('late_money', { payment: payment.id });
  if (view.state !== 'captured') return viewUnlessRaced(await ports.payments.startVoid(payment), view);
  return viewUnlessRaced(await bookForRefund(ports, payment, view), view);
}

/** Posts a duplicate capture or late money, and moves the payment to REFUNDING. */
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
