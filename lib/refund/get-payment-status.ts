import type { Chargeback, Chargebacks } from '../ledger/chargeback.ts';
import { getPayment, type GetPaymentPorts, type GetPaymentRefusal } from '../payment/get-payment.ts';
import type { Payment } from '../payment/payment.ts';
import { ok, type Result } from '../result.ts';
import type { Refunds } from './ports.ts';
import type { Refund } from './refund.ts';

export type PaymentStatusPorts = GetPaymentPorts & {
  readonly refunds: Pick<Refunds, 'ofPayment'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment'>;
};
type Query = Parameters<typeof getPayment>[1] & {
  readonly withRefunds: boolean;
  readonly withChargebacks: boolean;
};
export type PaymentStatusView = {
  readonly payment: Payment;
  /** Oldest first; undefined unless asked for. */
  readonly refunds: readonly Refund[] | undefined;
  /** Confirmed losses; undefined unless asked for. */
  readonly chargebacks: readonly Chargeback[] | undefined;
};

/** Returns one payment (contract 4.5), with its refunds and its confirmed chargebacks when they are asked for. */
export async function getPaymentStatus(
  ports: PaymentStatusPorts,
  { withRefunds, withChargebacks, ...query }: Query,
): Promise<Result<PaymentStatusView, GetPaymentRefusal>> {
  const { id } = query;
  const [payment, refunds, chargebacks] = await Promise.all([
    getPayment(ports, query),
    id && withRefunds ? ports.refunds.ofPayment(id) : undefined,
    id && withChargebacks ? ports.chargebacks.ofPayment(id) : undefined,
  ]);
  if (!payment.ok) return payment;
  return ok({ payment: payment.value, refunds, chargebacks: chargebacks?.filter(isConfirmedLoss) });
}

const isConfirmedLoss = ({ status, direction }: Chargeback): boolean =>
  status === 'CONFIRMED' && direction === 'loss';
