import { toRefundId } from '../../lib/ids.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import { billId, merchantId, paymentId, shopId, today } from './builders.ts';

export const refundId = toRefundId(`${paymentId}Refun1`);

/** A new refund of 40.00 roubles that keeps the fee. */
export const aRefund = (traits: Partial<Refund> = {}): Refund => ({
  id: refundId,
  paymentId,
  billId,
  merchantId,
  shopId,
  status: 'NEW',
  amount: { minor: 4_000n, currency: 'RUB' },
  debit: { minor: 4_000n, currency: 'RUB' },
  feeReturnedMinor: 0n,
  reason: undefined,
  requestedBy: { kind: 'merchant' },
  acquirer: 'sandbox',
  call: undefined,
  outcome: undefined,
  errorCode: undefined,
  contactUntil: undefined,
  receipt: undefined,
  createdAt: today,
  endedAt: undefined,
  checks: 0,
  nextCheck: today,
  ...traits,
});
