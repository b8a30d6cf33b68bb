import type { Payment } from './payment.ts';
import type { AcquirerView } from './ports.ts';
import type { ResolvePorts } from './resolve-step.ts';

/**
 * A refund or a chargeback that was made at the acquirer. The payment stays paid: how much of it the merchant is to
 * give back is for a person to find out and to book.
 */
export async function alarmIfUndone(
  { acquirer, alarm }: Pick<ResolvePorts, 'acquirer' | 'alarm'>,
  payment: Payment,
): Promise<void> {
  if (isPaidLess(payment, await acquirer.get(payment.id))) alarm('capture_undone', { payment: payment.id });
}

/** Also a part of it may have gone back. */
const isPaidLess = ({ receivedMinor = 0n }: Payment, view: AcquirerView): boolean =>
  view.state !== 'captured' || view.amountMinor < receivedMinor;
