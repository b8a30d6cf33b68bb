import { largest, toDecimal } from '../money/money.ts';
import type { Payment } from './payment.ts';

/**
 * OutSum: what was received less the payer's surcharge, so an exact payment shows the bill's amount. Never below
 * 0.00. Where nothing was taken it is the bill's amount.
 */
export function outSum({ status, amount, receivedMinor, surchargeMinor }: Payment): string {
  if (status === 'FAIL' || receivedMinor === undefined) return toDecimal(amount.minor);
  return toDecimal(largest(receivedMinor - surchargeMinor, 0n));
}
