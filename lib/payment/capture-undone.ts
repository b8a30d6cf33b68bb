import type { Payment } from './payment.ts';
import type { AcquirerView } from './ports.ts';
import type { ResolvePorts } from './resolve-step.ts';

/**
 * Raises `capture_undone` when the acquirer no longer holds the whole capture: a refund or a chargeback was made there.
 * The payment stays paid: a person finds out how much the merchant has to give back, and posts an adjustment.
 */
export async function alarmIfUndone(
  { acquirer, alarm }: Pick<ResolvePorts, 'acquirer' | 'alarm'>,
  payment: Payment,
): Promise<void> {
  if (isPaidLess(payment, await acquirer.get(payment.id))) alarm('capture_undone', { payment: payment.id });
}

/** Whether the capture was refunded or charged back, in full or in part. */
const isPaidLess = ({ receivedMinor = 0n }: Payment, view: AcquirerView): boolean =>
  view.state !== 'captured' || view.amountMinor < receivedMinor;
