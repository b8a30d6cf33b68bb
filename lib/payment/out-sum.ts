import { largest, toDecimal } from '../money/money.ts';
import type { Payment } from './payment.ts';

/**
 * Returns OutSum: the received amount less the payer's surcharge, so that an exact payment shows the bill's amount.
 * Never below 0.00. The bill's amount where no money was kept.
 */
export function outSum({ status, amount, receivedMinor, surchargeMinor }: Payment): string {
  if (status === 'FAIL' || receivedMinor === undefined) return toDecimal(amount.minor);
  return toDecimal(largest(receivedMinor - surchargeMinor, 0n));
}
